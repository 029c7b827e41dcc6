import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { ACTS, passTime, sceneIn, taskOf } from "../../support/task-scene.ts";

let server: TestServer;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.createWorkspace());
});

afterAll(() => server.close());

describe("a cancel that was asked for", () => {
  it.each(["fail", "release"] as const)(
    "ends the task where its holder's %s would let it wait again",
    async (act) => {
      const scene = await sceneIn({ server, workspaceId }, "working");
      await ACTS.cancel(scene);
      await ACTS[act](scene);
      expect((await taskOf(scene)).status).toBe("canceled");
    },
  );

  it.each(["working", "input_required"] as const)(
    "ends a task that is %s when its holder acknowledges",
    async (from) => {
      const scene = await sceneIn({ server, workspaceId }, from);
      await ACTS.cancel(scene);
      await ACTS.acknowledgeCancel(scene);
      expect((await taskOf(scene)).status).toBe("canceled");
    },
  );

  it("ends the task when its lease runs out", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    passTime(scene, 45);
    await ACTS.cancel(scene);
    passTime(scene, 15);
    await ACTS.sweep(scene);
    expect((await taskOf(scene)).status).toBe("canceled");
  });

  it("is told by the heartbeat and by a command, once", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    await ACTS.cancel(scene);
    await ACTS.cancel(scene);
    expect(await ACTS.heartbeat(scene)).toMatchObject({ cancelRequested: true, controlState: "active" });
    const commands = await scene.worker.db.agentCommand.findMany({ where: { taskId: scene.id } });
    expect(commands).toMatchObject([
      { type: "task.cancel", agentId: scene.worker.agentId, priority: "urgent", ackTimeoutSeconds: 10 },
    ]);
    const [command] = commands;
    // It is of no use once the task is canceled without its holder's word.
    expect((command?.expiresAt.getTime() ?? 0) - (command?.createdAt.getTime() ?? 0)).toBe(30_000);
  });

  it("comes too late for work that is done", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    await ACTS.cancel(scene);
    await ACTS.complete(scene);
    expect((await taskOf(scene)).status).toBe("completed");
  });

  it("lets no more questions be asked", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    await ACTS.cancel(scene);
    expect(await codeOf(ACTS.ask(scene))).toBe("invalid_state");
  });
});
