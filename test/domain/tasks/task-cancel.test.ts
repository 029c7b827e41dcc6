import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getErrorCode } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { TASK_ACTS, passTaskTime, sceneIn, readStoredTask } from "../../support/task-scene.ts";

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
      await TASK_ACTS.cancel(scene);
      await TASK_ACTS[act](scene);
      expect((await readStoredTask(scene)).status).toBe("canceled");
    },
  );

  it.each(["working", "input_required"] as const)(
    "ends a task that is %s when its holder acknowledges",
    async (from) => {
      const scene = await sceneIn({ server, workspaceId }, from);
      await TASK_ACTS.cancel(scene);
      await TASK_ACTS.acknowledgeCancel(scene);
      expect((await readStoredTask(scene)).status).toBe("canceled");
    },
  );

  it("ends the task when its lease runs out", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    passTaskTime(scene, 45);
    await TASK_ACTS.cancel(scene);
    passTaskTime(scene, 15);
    await TASK_ACTS.sweep(scene);
    expect((await readStoredTask(scene)).status).toBe("canceled");
  });

  it("is told by the heartbeat and by a command, once", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    await TASK_ACTS.cancel(scene);
    await TASK_ACTS.cancel(scene);
    expect(await TASK_ACTS.heartbeat(scene)).toMatchObject({ cancelRequested: true, controlState: "active" });
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
    await TASK_ACTS.cancel(scene);
    await TASK_ACTS.complete(scene);
    expect((await readStoredTask(scene)).status).toBe("completed");
  });

  it("lets no more questions be asked", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    await TASK_ACTS.cancel(scene);
    expect(await getErrorCode(TASK_ACTS.ask(scene))).toBe("invalid_state");
  });
});
