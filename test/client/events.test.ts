import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/client.ts";

const MINUTE_MS = 60_000;
/** After this many requests they are rejected, so that the follower ends. */
const TOO_OFTEN = 100;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The result of following events for a minute: number of requests, and kinds of frames. */
type Followed = { asked: number; kinds: string[]; error: unknown };

/** Follows events of a service with these responses for a minute. */
async function followAMinute(answer: (asked: number) => Response): Promise<Followed> {
  const over = new AbortController();
  let asked = 0;
  const client = createClient({
    url: "http://127.0.0.1:1",
    token: "x",
    fetch: async () => (++asked > TOO_OFTEN ? Response.json({}, { status: 404 }) : answer(asked)),
  });
  const kinds = new Set<string>();
  async function follow(): Promise<void> {
    const events = client.events({ after: "start", signal: over.signal });
    for await (const { kind } of events) kinds.add(kind);
  }
  const ended = follow().then(
    () => null,
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  over.abort();
  return { asked, kinds: [...kinds], error: await ended };
}

function nothing(cursor: string): Response {
  return Response.json({ events: [], next_after: cursor });
}

describe("events from now on", () => {
  it("begin at the service's first cursor, and survive a lost response", async () => {
    const asked: URLSearchParams[] = [];
    const client = createClient({
      url: "http://127.0.0.1:1",
      token: "x",
      fetch: async (address) => {
        const { searchParams } = new URL(address instanceof Request ? address.url : address);
        asked.push(searchParams);
        if (searchParams.get("wait") !== "0" && asked.length < 3) throw new TypeError("the network is gone");
        return nothing(searchParams.has("after") ? "there" : "here");
      },
    });
    const events = client.events();
    expect(await events.next()).toMatchObject({ value: { kind: "checkpoint", cursor: "here" } });
    const second = events.next();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(await second).toMatchObject({ value: { kind: "checkpoint", cursor: "there" } });
    expect(asked.map((query) => query.get("after"))).toEqual([null, "here", "here"]);
  });
});

describe("events of a service that responds at once", () => {
  it("are requested less and less often if there is nothing new", async () => {
    const followed = await followAMinute(() => nothing("start"));
    expect(followed).toEqual({ asked: 9, kinds: ["checkpoint"], error: null });
  });

  it("are requested less and less often if the same gap is reported again", async () => {
    const gone = { code: "cursor_expired", oldest_cursor: "start" };
    const followed = await followAMinute(() => Response.json(gone, { status: 410 }));
    expect(followed).toEqual({ asked: 9, kinds: ["reset"], error: null });
  });

  it("are requested at once if the cursor moves on", async () => {
    const followed = await followAMinute((asked) => nothing(`place ${asked}`));
    // The next request is rejected, so there is no other.
    expect(followed).toMatchObject({
      ...{ asked: TOO_OFTEN + 1, kinds: ["checkpoint"], error: { status: 404 } },
    });
  });
});
