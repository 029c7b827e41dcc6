import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "../../src/client/api-error.ts";
import { type Client, createClient } from "../../src/client/client.ts";
import { backoffMs } from "../../src/client/wait.ts";
import { type World, createWorld } from "../support/world.ts";

const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-client-"));

let world: World;
let handle: string;
let agent: Client;
let operator: Client;
let stop: AbortController;
let running: Promise<unknown>[] = [];

beforeAll(async () => {
  world = await createWorld();
  operator = createClient({ url: world.server.url, token: world.apiKey });
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.server.close();
});

beforeEach(() => {
  handle = `a-${crypto.randomUUID()}`;
  stop = new AbortController();
  running = [];
  agent = createClient({ url: `${world.server.url}/`, token: world.apiKey, agent: { handle } });
});

afterEach(async () => {
  stop.abort();
  await Promise.all(running);
});

async function createTask(queue: string): Promise<string> {
  const { task } = await operator.send("POST /tasks", { body: { title: "A task", queue } });
  return task.id;
}

async function taskWhen(id: string, status: string) {
  for await (const { kind } of operator.events({ after: await newest, subject: id })) {
    const { task } = await operator.send("GET /tasks/{id}", { id, query: {} });
    if (kind === "event" && task.status === status) return task;
  }
  throw new Error("the events ended");
}

let newest: Promise<string>;

beforeEach(() => {
  newest = operator.send("GET /events", { query: {} }).then(({ next_after: cursor }) => cursor);
});

/** Fails the first requests of a path as a network or a busy service does. */
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

describe("createClient", () => {
  it("mints a token for its agent, once, and another when that one is refused", async () => {
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

  it("tells a refusal with its code, and does not try again", async () => {
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
    ["the service starts", () => new Response("starting", { status: 503 })],
  ])("sends a request again where %s", async (_what, how) => {
    const { fetch: flaky, count } = failing(2, how);
    const client = createClient({ url: world.server.url, token: world.apiKey, fetch: flaky });
    const body = { title: "Once" };
    const { task } = await client.send("POST /tasks", { body, idempotencyKey: crypto.randomUUID() });
    expect([task.title, count()]).toEqual(["Once", 3]);
  });

  it("ends a request when its signal is given", async () => {
    const waiting = agent.send("POST /tasks/claim", { body: { wait: 25 }, signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toThrow("abort");
  });

  it("waits a random time that grows, at most half a minute", () => {
    for (let attempt = 1; attempt < 40; attempt++) {
      const most = Math.min(30_000, 250 * 2 ** attempt);
      for (let time = 0; time < 20; time++) expect(backoffMs(attempt)).toBeLessThan(most);
    }
  });
});

describe("workTasks", () => {
  it("completes tasks with what their handler gives, and fails them with what it throws", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const [good, bad] = [await createTask(queue), await createTask(queue)];
    running.push(
      agent.workTasks({
        queues: [queue],
        signal: stop.signal,
        handle: async ({ id }, { attempt }) => {
          if (id === bad) throw Object.assign(new Error("no stock"), { code: "no_stock", retryable: false });
          return { output: { attempt } };
        },
      }),
    );
    expect(await taskWhen(good, "completed")).toMatchObject({ output: { attempt: 1 } });
    expect(await taskWhen(bad, "failed")).toMatchObject({ error: { code: "no_stock", message: "no stock" } });
  });

  it("tells a handler by its signal that its task was canceled, and acknowledges that", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await createTask(queue);
    running.push(
      agent.workTasks({
        queues: [queue],
        leaseSeconds: 10,
        signal: stop.signal,
        handle: async (_task, { signal }) => {
          await operator.send("POST /tasks/{id}/cancel", { id, body: {} });
          await new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(new Error("canceled")));
          });
        },
      }),
    );
    expect(await taskWhen(id, "canceled")).toMatchObject({ cancel_requested_at: expect.any(String) });
  });

  it("gives a task back when it is stopped", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const id = await createTask(queue);
    await agent.workTasks({
      queues: [queue],
      signal: stop.signal,
      handle: (_task, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("stopped")));
          stop.abort();
        }),
    });
    const { task } = await operator.send("GET /tasks/{id}", { id, query: {} });
    expect(task).toMatchObject({ status: "submitted", attempt: 1 });
  });
});

describe("handleCommands", () => {
  async function issue(type: string, more: object = {}) {
    const { agent_id: id } = await operator.mint({ agent: { handle } });
    const body = { agent_id: id, type, ...more };
    const { agent_commands: commands } = await operator.send("POST /operator/agent_commands", { body });
    return commands[0]?.id ?? "";
  }

  async function commandWhen(id: string, status: string, leastGeneration = 0) {
    for await (const { kind } of operator.events({ after: await newest, subject: id })) {
      const { agent_command: command } = await operator.send("GET /agent_commands/{id}", { id });
      const isLate = command.generation > leastGeneration;
      if (kind === "event" && command.status === status && isLate) return command;
    }
    throw new Error("the events ended");
  }

  it("runs normal commands in their order, and urgent ones beside them", async () => {
    const order: string[] = [];
    const urgent = new AbortController();
    const urgentCame = once(urgent.signal, "abort");
    const [one, two] = [await issue("custom.slow"), await issue("custom.next")];
    running.push(
      agent.handleCommands({
        journal: path.join(folder, handle),
        signal: stop.signal,
        handlers: {
          "custom.slow": {
            run: async (_command, { progress }) => {
              await progress(0.5, "waiting");
              order.push("slow begins");
              await urgentCame;
              order.push("slow ends");
            },
          },
          "custom.next": { run: async () => order.push("next") },
          "agent.stop": {
            run: async () => {
              order.push("stop");
              urgent.abort();
            },
          },
        },
      }),
    );
    await commandWhen(one, "running");
    await issue("agent.stop", { priority: "urgent" });
    expect(await commandWhen(two, "succeeded")).toMatchObject({ result: 4 });
    expect(order).toEqual(["slow begins", "stop", "slow ends", "next"]);
  });

  it("rejects what it has no handler for, defers and fails", async () => {
    const [unknown, later, broken] = [
      await issue("custom.x"),
      await issue("custom.later"),
      await issue("custom.fail", { priority: "urgent" }),
    ];
    running.push(
      agent.handleCommands({
        journal: path.join(folder, handle),
        signal: stop.signal,
        handlers: {
          "custom.later": { run: async () => {}, refuse: () => ({ deferSeconds: 600, reason: "busy" }) },
          "custom.fail": { run: () => Promise.reject(Object.assign(new Error("jammed"), { code: "jam" })) },
        },
      }),
    );
    expect(await commandWhen(unknown, "rejected")).toMatchObject({
      status_detail: "There is no handler for custom.x.",
    });
    expect(await commandWhen(broken, "failed")).toMatchObject({ error: { code: "jam", message: "jammed" } });
    expect(await commandWhen(later, "queued", 1)).toMatchObject({
      status_detail: "busy",
      not_before: expect.any(String),
    });
  });
});

describe("events", () => {
  it("go on from a cursor, each event once and in its order", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const after = await newest;
    const ids = [await createTask(queue), await createTask(queue), await createTask(queue)];
    const seen: string[] = [];
    let cursor = after;
    // Every life of the reader deals with one event.
    for (let life = 0; life < ids.length; life++) {
      for await (const frame of operator.events({ after: cursor, types: ["task.created"] })) {
        cursor = frame.cursor;
        if (frame.kind !== "event") continue;
        seen.push(frame.event.subject_id);
        break;
      }
    }
    expect(seen).toEqual(ids);
  });

  it("tell of a gap where what came after the cursor is gone", async () => {
    const after = await newest;
    await createTask("default");
    await world.server.database.query("UPDATE workspace_head SET min_seq = seq + 1 WHERE workspace_id = $1", [
      world.workspaceId,
    ]);
    for await (const frame of operator.events({ after })) {
      expect(frame).toEqual({ kind: "reset", cursor: expect.any(String) });
      break;
    }
  });
});
