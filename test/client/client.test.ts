import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
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

function addressOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : input.toString();
}

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

  it("works on as many at once as it is asked to, without a warning", async () => {
    const queue = `q-${crypto.randomUUID()}`;
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on("warning", note);
    const ids = await Promise.all(Array.from({ length: 12 }, () => createTask(queue)));
    const all = new AbortController();
    const allAtWork = once(all.signal, "abort");
    let atWork = 0;
    running.push(
      agent.workTasks({
        queues: [queue],
        concurrency: ids.length,
        signal: stop.signal,
        handle: async () => {
          if (++atWork === ids.length) all.abort();
          await allAtWork;
        },
      }),
    );
    await Promise.all(ids.map((id) => taskWhen(id, "completed")));
    process.off("warning", note);
    expect(warnings).toEqual([]);
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

  it("brings a command to its end that it could not acknowledge when it was begun", async () => {
    const id = await issue("custom.weld");
    const calls: string[] = [];
    let acknowledgements = 0;
    const client = createClient({
      url: world.server.url,
      token: world.apiKey,
      agent: { handle },
      fetch: async (input, init) => {
        const isFirst = addressOf(input).endsWith("/ack") && acknowledgements++ === 0;
        return isFirst ? Response.json({ code: "forbidden" }, { status: 403 }) : fetch(input, init);
      },
    });
    running.push(
      client.handleCommands({
        journal: path.join(folder, handle),
        signal: stop.signal,
        handlers: {
          "custom.weld": { run: async () => calls.push("run"), recover: async () => calls.push("recover") },
        },
      }),
    );
    expect(await commandWhen(id, "succeeded")).toMatchObject({ result: 1, delivery_attempts: 1 });
    expect(calls).toEqual(["recover"]);
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
