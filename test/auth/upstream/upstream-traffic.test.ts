import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UpstreamError } from "../../../src/auth/upstream/upstream-error.ts";
import { type UpstreamTraffic, createUpstreamTraffic } from "../../../src/auth/upstream/upstream-traffic.ts";

let traffic: UpstreamTraffic;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  traffic = createUpstreamTraffic();
});

afterEach(() => {
  vi.useRealTimers();
});

const UNCONNECTED = new UpstreamError("down", "No connection: ECONNREFUSED.", false);

async function fail(failure: Error): Promise<unknown> {
  try {
    return await traffic.run("a", async () => {
      throw failure;
    });
  } catch (caught) {
    return caught;
  }
}

describe("the traffic of a node", () => {
  it("has at most 64 requests to a server under way, whatever others get", async () => {
    const ends: (() => void)[] = [];
    const running = Array.from({ length: 64 }, () =>
      traffic.run("a", () => new Promise<void>((resolve) => ends.push(resolve))),
    );
    expect(() => traffic.requireRoom("a")).toThrow("At most 64 requests");
    expect(() => traffic.requireRoom("b")).not.toThrow();
    // What people approved goes on.
    await traffic.run("a", async () => {});
    ends[0]?.();
    await running[0];
    expect(() => traffic.requireRoom("a")).not.toThrow();
    for (const end of ends) end();
    await Promise.all(running);
  });

  it("leaves a server alone for ten seconds after five requests without a connection", async () => {
    const work = vi.fn(async () => "done");
    for (let times = 0; times < 5; times++) expect(await fail(UNCONNECTED)).toBe(UNCONNECTED);
    await expect(traffic.run("a", work)).rejects.toThrow("No connection could be made of late.");
    expect(await traffic.run("b", work)).toBe("done");
    vi.advanceTimersByTime(9_999);
    await expect(traffic.run("a", work)).rejects.toThrow("of late");
    vi.advanceTimersByTime(2);
    expect(await traffic.run("a", work)).toBe("done");
    expect(work).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["another error", new Error("x")],
    ["a request that was sent", new UpstreamError("down", "The server was silent for too long.", true)],
    ["a refused credential", new UpstreamError("credential_refused", "No.", false)],
  ])("counts only failures in a row: %s ends it", async (_name, error) => {
    for (let times = 0; times < 4; times++) await fail(UNCONNECTED);
    await fail(error);
    for (let times = 0; times < 4; times++) await fail(UNCONNECTED);
    expect(await traffic.run("a", async () => "done")).toBe("done");
  });
});
