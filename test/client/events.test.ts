import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/client.ts";

const MINUTE_MS = 60_000;
/** A follower that asks so often is refused, so that it ends. */
const TOO_OFTEN = 100;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** What came of following events for a minute: how often the service was asked, and the kinds of what it gave. */
type Followed = { asked: number; kinds: string[]; error: unknown };

/** Follows events of a service that answers like this for a minute. */
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
  it("begin where the service first says that it is, and none is lost where an answer is cut off", async () => {
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

describe("events of a service that answers at once", () => {
  it("are asked for less and less often where nothing is new", async () => {
    const followed = await followAMinute(() => nothing("start"));
    expect(followed).toEqual({ asked: 9, kinds: ["checkpoint"], error: null });
  });

  it("are asked for less and less often where it says of one place again and again that there is a gap", async () => {
    const gone = { code: "cursor_expired", oldest_cursor: "start" };
    const followed = await followAMinute(() => Response.json(gone, { status: 410 }));
    expect(followed).toEqual({ asked: 9, kinds: ["reset"], error: null });
  });

  it("are asked for as soon as the answer was dealt with where the place moves on", async () => {
    const followed = await followAMinute((asked) => nothing(`place ${asked}`));
    // It is refused then, and not asked again.
    expect(followed).toMatchObject({
      ...{ asked: TOO_OFTEN + 1, kinds: ["checkpoint"], error: { status: 404 } },
    });
  });
});
