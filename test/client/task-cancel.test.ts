import { EventEmitter, once } from "node:events";
import { describe, expect, it } from "vitest";
import type { CommandHandler } from "../../src/client/command-run.ts";
import { useClientScene } from "../support/client-scene.ts";

const scene = useClientScene();

/** Lets the agent work on a task until its signal, with heartbeats so rare that no test waits for one. */
async function workOn(handlers: Record<string, CommandHandler>) {
  const queue = `q-${crypto.randomUUID()}`;
  const id = await scene.createTask(queue);
  const told = new EventEmitter<{ begun: []; over: [unknown] }>();
  const begun = once(told, "begun");
  const over = once(told, "over");
  const { signal: stop } = scene.stop;
  scene.running.push(
    scene.agent.workTasks({
      ...{ queues: [queue], leaseSeconds: 600, signal: stop },
      handle: async (_task, { signal }) => {
        told.emit("begun");
        await once(signal, "abort");
        told.emit("over", signal.reason);
        throw new Error("ended");
      },
    }),
    scene.agent.handleCommands({ journal: scene.journal, handlers, signal: stop }),
  );
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
  it("ends the work at once, and is acknowledged as command and as cancel, without a handler", async () => {
    const { id, over } = await workOn({});
    await scene.operator.send("POST /tasks/{id}/cancel", { id, body: { reason: "not needed" } });
    expect(await over).toEqual(["canceled"]);
    expect(await scene.taskWhen(id, "canceled")).toMatchObject({ status_message: "not needed" });
    expect(await commandAbout(id)).toMatchObject({ status: "succeeded", error: null });
  });

  it("is handed to the agent's own handler too", async () => {
    const { id, over } = await workOn({ "task.cancel": { run: async () => "noted" } });
    await scene.operator.send("POST /tasks/{id}/cancel", { id, body: {} });
    expect(await over).toEqual(["canceled"]);
    expect(await commandAbout(id)).toMatchObject({ status: "succeeded", result: "noted" });
  });
});
