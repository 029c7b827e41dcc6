import { execFile } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import type { Asking } from "./asking-client.ts";

const PROGRAM = fileURLToPath(new URL("asking-client.ts", import.meta.url));
const SHIFT = fileURLToPath(new URL("../support/shifted-clock.ts", import.meta.url));

let world: TestWorld;
let handle: string;
let operator: Client;

beforeAll(async () => {
  world = await createWorld();
  operator = createClient({ url: world.server.url, token: world.apiKey });
});

afterAll(() => world.server.close());

beforeEach(() => {
  handle = `a-${crypto.randomUUID()}`;
});

afterEach(() => void vi.restoreAllMocks());

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/** A client that counts its mints, and optionally rejects all but the first. */
function counting({ refusesMore = false } = {}) {
  const counts = { mints: 0 };
  const client = createClient({
    url: world.server.url,
    token: world.apiKey,
    agent: { handle },
    fetch: (input, init) => {
      const isMint = new URL(input instanceof Request ? input.url : input).pathname.endsWith("/agent_tokens");
      if (isMint && ++counts.mints > 1 && refusesMore)
        return Promise.resolve(Response.json({ code: "forbidden" }, { status: 403 }));
      return fetch(input, init);
    },
  });
  return { client, counts };
}

describe("an agent's client", () => {
  it("keeps its token if renewal is rejected, and retries when most of the remaining time is over", async () => {
    const { client, counts } = counting({ refusesMore: true });
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    const name = (await client.send("GET /whoami", {})).actor.name;
    for (const [hour, mints] of [
      [4.7, 1],
      [5, 2],
      [5.7, 2],
      [5.9, 3],
    ] as const) {
      clock.mockReturnValue(hour * HOUR_MS);
      expect((await client.send("GET /whoami", {})).actor.name).toBe(name);
      expect({ hour, mints: counts.mints }).toEqual({ hour, mints });
    }
    clock.mockReturnValue(6.1 * HOUR_MS);
    await expect(client.send("GET /whoami", {})).rejects.toMatchObject({ status: 403 });
  });

  it.each([-1, 1])("mints once, even if the clock is off by %i years", async (years) => {
    const asking: Asking = { url: world.server.url, token: world.apiKey, handle };
    const program = ["--import", "tsx", "--import", SHIFT, PROGRAM, JSON.stringify(asking)];
    const env = { CLOCK_SHIFT_MS: String(years * 365 * DAY_MS) };
    const { stdout } = await promisify(execFile)(process.execPath, program, { env });
    expect(stdout).toBe("1");
  });

  it("mints a token for its agent once, and another when that one is rejected", async () => {
    const seen: string[] = [];
    const watched: typeof fetch = (input, init) => {
      seen.push(new Headers(init?.headers).get("authorization") ?? "");
      return fetch(input, init);
    };
    const client = createClient({
      url: world.server.url,
      token: world.apiKey,
      agent: { handle },
      fetch: watched,
    });
    const names = await Promise.all([1, 2, 3].map(() => client.send("GET /whoami", {})));
    expect(new Set(names.map(({ actor }) => actor.name)).size).toBe(1);
    const [minting, ...others] = seen;
    expect(minting).toBe(`Bearer ${world.apiKey}`);
    expect(new Set(others).size).toBe(1);
    const token = (others[0] ?? "").slice("Bearer ".length);
    await operator.send("POST /tokens/revoke", { body: { token } });
    expect((await client.send("GET /whoami", {})).actor).toEqual(names[0]?.actor);
    expect(seen.filter((bearer) => bearer === minting)).toHaveLength(2);
  });

  it("mints once for all requests with an expired token, even late ones", async () => {
    const renewed = new AbortController();
    const afterRenewal = once(renewed.signal, "abort");
    let [token, mints] = ["", 0];
    const client = createClient({
      url: world.server.url,
      token: world.apiKey,
      agent: { handle },
      fetch: async (input, init) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        if (pathname.endsWith("/agent_tokens")) mints++;
        else token = new Headers(init?.headers).get("authorization")?.slice("Bearer ".length) ?? "";
        const response = await fetch(input, init);
        // Listing tasks gets its error after others have already switched to the next token.
        if (pathname.endsWith("/tasks") && response.status === 401) await afterRenewal;
        return response;
      },
    });
    await client.send("GET /whoami", {});
    await operator.send("POST /tokens/revoke", { body: { token } });
    const late = client.send("GET /tasks", { query: {} });
    await Promise.all([1, 2, 3, 4].map(() => client.send("GET /whoami", {})));
    expect(mints).toBe(2);
    renewed.abort();
    expect((await late).tasks).toEqual(expect.any(Array));
    expect(mints).toBe(2);
  });

  it("ends at once and stops minting when all waiting requests are aborted", async () => {
    const asked = new EventEmitter<{ mint: [AbortSignal | null | undefined] }>();
    const mint = once(asked, "mint");
    const client = createClient({
      url: world.server.url,
      token: world.apiKey,
      agent: { handle },
      fetch: (_input, init) => {
        asked.emit("mint", init?.signal);
        return new Promise((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
        });
      },
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [first, second].map(({ signal }) => client.send("GET /whoami", { signal }));
    // The options passed to the fetch above.
    const [minting] = (await mint) as [AbortSignal];
    first.abort();
    await expect(waiting[0]).rejects.toThrow("abort");
    expect(minting.aborted).toBe(false);
    second.abort();
    await expect(waiting[1]).rejects.toThrow("abort");
    expect(minting.aborted).toBe(true);
  });
});
