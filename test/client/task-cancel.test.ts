import { EventEmitter, once } from "node:events";
import { describe, expect, it } from "vitest";
import { type ClientOptions, createClient } from "../../src/client/client.ts";
import type { CommandHandler } from "../../src/client/command-run.ts";
import { useClientScene } from "../support/client-scene.ts";

const scene = useClientScene();

/** Lets the agent work on a task until its signal is aborted, with heartbeats too rare to matter. */
async function workOn(
  handlers: Record<string, CommandHandler> | null,
  { agent = scene.agent, leaseSeconds = 600 } = {},
) {
  const queue = `q-${crypto.randomUUID()}`;
  const id = await scene.createTask(queue);
  const emitter = new EventEmitter<{ begun: []; over: [unknown] }>();
  const begun = once(emitter, "begun");
  const over = once(emitter, "over");
  const { signal: stop } = scene.stop;
  scene.running.push(
    agent.workTasks({
      ...{ queues: [queue], leaseSeconds, signal: stop },
      handle: async (_task, { signal }) => {
        emitter.emit("begun");
        await once(signal, "abort");
        emitter.emit("over", signal.reason);
        throw new Error("ended");
      },
    }),
  );
  if (handlers !== null)
    scene.running.push(agent.handleCommands({ journal: scene.journal, handlers, signal: stop }));
  await begun;
  return { id, over };
}

async function commandAbout(id: string) {
  const { agent_commands: all } = await scene.operator.send("GET /operator/agent_commands", { query: {} });
  const command = all.find(({ task_id: taskId }) => taskId === id);
  for await (const { kind } of scene.operator.events({ after: scene.newest, subject: command?.id ?? "" })) {
    const sent = { id: command?.id ?? "" };
    const { agent_command: now } = await scene.operator.send("GET /agent_commands/{id}", sent);
    if (kind === "event" && now.finished_at !== null) return now;
  }
  throw new Error("the events ended");
}

describe("task.cancel", () => {
  it("ends the work at once and acknowledges both, without a handler", async () => {
    const { id, over } = await workOn({});
    await scene.operator.send("POST /tasks/{id}/cancel", { id, body: { reason: "not needed" } });
    expect(await over).toEqual(["canceled"]);
    expect(await scene.taskWhen(id, "canceled")).toMatchObject({ status_message: "not needed" });
    expect(await commandAbout(id)).toMatchObject({ status: "succeeded", error: null });
  });

  it("also calls the agent's own handler", async () => {
    const { id, over } = await workOn({ "task.cancel": { run: async () => "noted" } });
    await scene.operator.send("POST /tasks/{id}/cancel", { id, body: {} });
    expect(await over).toEqual(["canceled"]);
    expect(await commandAbout(id)).toMatchObject({ status: "succeeded", result: "noted" });
  });
});

describe("an agent without a command loop", () => {
  /** A client for an agent with these scopes, and the paths it requests. */
  function createScopedClient(scopes: NonNullable<ClientOptions["scopes"]>) {
    const { server, apiKey: token } = scene.world;
    const asked: string[] = [];
    const agent = createClient({
      ...{ url: server.url, token, agent: { handle: scene.handle }, scopes, log: () => {} },
      fetch: async (url, init) => {
        if (typeof url === "string") asked.push(new URL(url).pathname);
        return fetch(url, init);
      },
    });
    return { agent, asked };
  }

  it("notices a cancellation long before its next heartbeat", async () => {
    const { id, over } = await workOn(null);
    await scene.operator.send("POST /tasks/{id}/cancel", { id, body: { reason: "not needed" } });
    expect(await over).toEqual(["canceled"]);
    expect(await scene.taskWhen(id, "canceled")).toMatchObject({ status_message: "not needed" });
  });

  it("notices it by its heartbeat if it may not read events", async () => {
    const { agent, asked } = createScopedClient(["tasks:work", "tasks:read"]);
    const { id, over } = await workOn(null, { agent, leaseSeconds: 10 });
    await scene.operator.send("POST /tasks/{id}/cancel", { id, body: {} });
    expect(await over).toEqual(["canceled"]);
    await scene.taskWhen(id, "canceled");
    expect(asked.filter((path) => path.endsWith("/events"))).toHaveLength(1);
  });

  it("sends no extra request for a short task", async () => {
    const { agent, asked } = createScopedClient(["tasks:work", "tasks:read", "events:read"]);
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    scene.running.push(
      agent.workTasks({ queues: [queue], signal: scene.stop.signal, handle: async () => {} }),
    );
    await scene.taskWhen(id, "completed");
    expect(asked.filter((path) => path.endsWith("/events"))).toEqual([]);
  });
});
