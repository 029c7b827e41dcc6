import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../src/client/api-error.ts";
import { createClient } from "../../src/client/client.ts";
import { backoffMs } from "../../src/client/wait.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const REQUEST = { action: { name: "tools/call" }, resource: { type: "tool", id: "crm.search" } };

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** Fails the first requests to a path as a network or a busy service does. */
function failing(times: number, how: () => Response | Error): { fetch: typeof fetch; count: () => number } {
  let count = 0;
  return {
    count: () => count,
    fetch: async (input, init) => {
      if (++count > times) return fetch(input, init);
      const failure = how();
      if (failure instanceof Error) throw failure;
      return failure;
    },
  };
}

describe("a request", () => {
  it("throws a rejection with its code, and doesn't retry", async () => {
    const { fetch: counted, count } = failing(0, () => new Error("never"));
    const client = createClient({ url: world.server.url, token: world.apiKey, fetch: counted });
    const refused = client.send("GET /tasks/{id}", { id: crypto.randomUUID(), query: {} });
    await expect(refused).rejects.toMatchObject({ name: "ApiError", status: 404, code: "not_found" });
    expect(count()).toBe(1);
    await expect(client.send("POST /tasks", { body: { title: "" } })).rejects.toBeInstanceOf(ApiError);
  });

  it.each([
    ["the network fails", () => new TypeError("fetch failed")],
    ["the service is busy", () => new Response(null, { status: 429, headers: { "retry-after": "0" } })],
    ["the service is starting", () => new Response("starting", { status: 503 })],
    ["it is still in progress", () => Response.json({ code: "idempotency_conflict" }, { status: 409 })],
  ])("is retried if %s", async (_what, how) => {
    const { fetch: flaky, count } = failing(2, how);
    const client = createClient({ url: world.server.url, token: world.apiKey, fetch: flaky });
    const body = { title: "Once" };
    const { task } = await client.send("POST /tasks", { body, idempotencyKey: crypto.randomUUID() });
    expect([task.title, count()]).toEqual(["Once", 3]);
  });

  it.each([
    ["the query", "GET /gateway/approvals/{id}", { id: crypto.randomUUID(), query: { wait: 20 } }],
    ["the body", "POST /tasks/claim", { body: { queues: ["none"], wait: 20 } }],
    ["the options of a check", "POST /gateway/check", { body: { request: REQUEST, options: { wait: 20 } } }],
  ] as const)("may take as long as the server waits: %s", async (_where, route, sent) => {
    const over = new AbortController();
    const timers = vi.spyOn(globalThis, "setTimeout");
    const client = createClient({ url: world.server.url, token: world.apiKey });
    const send = client.send as (route: string, sent: object) => Promise<unknown>;
    const sending = send(route, { ...sent, signal: over.signal }).catch(() => null);
    await vi.waitFor(() => expect(timers.mock.calls.map(([, ms]) => ms)).toContain(35_000));
    timers.mockRestore();
    over.abort();
    await sending;
  });

  it("creates a resource once, although the response is lost", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    let lost = 0;
    const client = createClient({
      url: world.server.url,
      token: world.apiKey,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (init?.method !== "POST" || lost++ > 0) return response;
        throw new TypeError("terminated");
      },
    });
    const { task } = await client.send("POST /tasks", { body: { title: "Once", queue } });
    const { tasks } = await client.send("GET /tasks", { query: { queue } });
    expect(tasks.map(({ id }) => id)).toEqual([task.id]);
    const other = await client.send("POST /tasks", { body: { title: "Once", queue } });
    expect(other.task.id).not.toBe(task.id);
  });

  it.each([200, 500])("fails if a server answers with %i and more than an answer has", async (status) => {
    let asked = 0;
    async function flood(): Promise<Response> {
      asked++;
      const parts = Array.from({ length: 40 }, () => new Uint8Array(1_048_576).fill(32));
      return new Response(new Blob(parts).stream(), { status });
    }
    const client = createClient({ url: world.server.url, token: world.apiKey, fetch: flood });
    const sending = client.send("GET /tasks", { query: {} });
    await expect(sending).rejects.toMatchObject({ code: "answer_too_large", status });
    expect(asked).toBe(1);
  });

  it.each(["2147484", "9".repeat(20), "-1"])(
    "is not retried at once after Retry-After: %s",
    async (after) => {
      const timers = vi.spyOn(globalThis, "setTimeout");
      const over = new AbortController();
      const headers = { "retry-after": after };
      const { fetch: busy } = failing(100, () => new Response(null, { status: 429, headers }));
      const client = createClient({ url: world.server.url, token: world.apiKey, fetch: busy });
      const sending = client.send("GET /tasks", { query: {}, signal: over.signal }).catch(() => null);
      // The client's are random, and the server's, in this process, whole and short.
      const isOfClient = (ms: number) => !Number.isInteger(ms) || ms > 1e9;
      const pauses = () => timers.mock.calls.map(([, ms = 0]) => ms).filter(isOfClient);
      await vi.waitFor(() => expect(pauses()).not.toEqual([]));
      const [ms] = pauses();
      timers.mockRestore();
      over.abort();
      await sending;
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThan(30_000);
    },
  );

  it("fails at once if it can't be serialised", async () => {
    const client = createClient({ url: world.server.url, token: world.apiKey });
    const body = { title: "One", metadata: { count: 1n } };
    await expect(client.send("POST /tasks", { body })).rejects.toThrow("BigInt");
    expect(() => createClient({ url: "localhost:4000", token: "any" })).toThrow("must begin with http://");
  });

  it("ends when its signal is aborted", async () => {
    const stop = new AbortController();
    const client = createClient({ url: world.server.url, token: world.apiKey });
    const waiting = client.send("POST /tasks/claim", { body: { wait: 25 }, signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toThrow("abort");
  });

  it("is retried after a random, growing delay of at most half a minute", () => {
    for (let attempt = 1; attempt < 40; attempt++) {
      const most = Math.min(30_000, 250 * 2 ** attempt);
      for (let time = 0; time < 20; time++) expect(backoffMs(attempt)).toBeLessThan(most);
    }
  });
});
