import { describe, expect, it } from "vitest";
import type { SocketConnection } from "../../src/gateway/socket-connection.ts";
import { createUnauthenticatedSockets } from "../../src/gateway/unauthenticated-sockets.ts";
import { openSocket, tokenSocket, socketToken } from "../support/socket-client.ts";
import { createWorld } from "../support/test-world.ts";

describe("unauthenticated sockets", () => {
  it("use at most half of the node's limit per address: its oldest is closed, and no other's", () => {
    const closed: string[] = [];
    const sockets = createUnauthenticatedSockets({ all: 6, address: 3 });
    for (const name of ["a1", "b1", "a2", "a3", "a4", "a5"]) sockets.enter(connection(name, closed));
    expect(closed).toEqual(["a1", "a2"]);
    expect(sockets.count()).toBe(4);
  });

  it("are limited in total: the oldest is closed", () => {
    const closed: string[] = [];
    const sockets = createUnauthenticatedSockets({ all: 4, address: 2 });
    for (const name of ["a1", "a2", "b1", "b2", "c1", "d1"]) sockets.enter(connection(name, closed));
    expect(closed).toEqual(["a1", "a2"]);
    expect(sockets.count()).toBe(4);
  });

  it("don't count after authentication", () => {
    const closed: string[] = [];
    const sockets = createUnauthenticatedSockets({ all: 2, address: 2 });
    const known = connection("a1", closed);
    sockets.enter(known);
    sockets.leave(known);
    for (const name of ["a2", "a3"]) sockets.enter(connection(name, closed));
    expect(closed).toEqual([]);
    expect(sockets.count()).toBe(2);
  });

  it("don't keep out authenticated sockets, even if one address opens as many as it can", async () => {
    const world = await createWorld();
    const token = await socketToken(world.server.url, world.apiKey);
    const opening = Array.from({ length: 1100 }, () => openSocket(world.server.url).catch(() => null));
    const opened = await Promise.all(opening);
    const socket = await tokenSocket(world.server.url, token);
    expect(world.server.services.live.connections.count().unidentified).toBeLessThanOrEqual(1000);
    socket.socket.close();
    for (const one of opened) one?.socket.terminate();
    await world.server.close();
  });
});

/** A connection whose address is the first letter of its name. */
function connection(name: string, closed: string[]): SocketConnection {
  const addresses: Record<string, string> = { a: "10.0.0.1", b: "10.0.0.2", c: "10.0.0.3", d: "10.0.0.4" };
  const part: Pick<SocketConnection, "request" | "kill"> = {
    request: { requestId: name, ip: addresses[name.charAt(0)] ?? null, userAgent: null, cookie: "" },
    kill: () => void closed.push(name),
  };
  // The rest of the interface isn't used.
  return part as SocketConnection;
}
