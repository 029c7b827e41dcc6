import { describe, expect, it } from "vitest";
import { createFramePace } from "../../src/gateway/frame-pace.ts";
import type { SocketConnection } from "../../src/gateway/socket-connection.ts";

/** The key of a socket's pace. */
function createSocket(ip: string, credentialId?: string): SocketConnection {
  const identity = credentialId === undefined ? null : { credentialId };
  return { identity, request: { ip } } as SocketConnection;
}

describe("the pace of frames", () => {
  const limits = { socket: 10, sender: 15 };

  it("counts a long frame as many", () => {
    const { countFrame } = createFramePace(limits);
    const socket = createSocket("192.0.2.1", "a");
    expect(countFrame(socket, 2047)).toBe(false);
    expect(countFrame(socket, 8 * 2048)).toBe(true);
  });

  it("counts all sockets of a credential together, from any address", () => {
    const { countFrame } = createFramePace(limits);
    expect(countFrame(createSocket("192.0.2.1", "a"), 8 * 2048)).toBe(false);
    expect(countFrame(createSocket("192.0.2.2", "a"), 8 * 2048)).toBe(true);
    expect(countFrame(createSocket("192.0.2.1", "b"), 8 * 2048)).toBe(false);
  });

  it("counts unauthenticated sockets by address", () => {
    const { countFrame } = createFramePace(limits);
    expect(countFrame(createSocket("192.0.2.1"), 8 * 2048)).toBe(false);
    expect(countFrame(createSocket("192.0.2.1"), 8 * 2048)).toBe(true);
    expect(countFrame(createSocket("192.0.2.2"), 8 * 2048)).toBe(false);
  });

  it("resets each second", () => {
    let nowMs = 0;
    const { countFrame } = createFramePace(limits, () => nowMs);
    const socket = createSocket("192.0.2.1", "a");
    expect(countFrame(socket, 10 * 2048)).toBe(true);
    nowMs = 1001;
    expect(countFrame(socket, 0)).toBe(false);
  });
});
