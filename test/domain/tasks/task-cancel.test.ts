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

describe("a requested cancellation", () => {
  it.each(["fail", "release"] as const)(
    "ends the task if its holder's %s would make it ready again",
    async (act) => {
      const scene = await sceneIn({ server, workspaceId }, "working");
      await TASK_ACTS.cancel(scene);
      await TASK_ACTS[act](scene);
      expect((await readStoredTask(scene)).status).toBe("canceled");
    },
  );

  it.each(["working", "input_required"] as const)(
    "ends a task with status %s when its holder acknowledges",
    async (from) => {
      const scene = await sceneIn({ server, workspaceId }, from);
      await TASK_ACTS.cancel(scene);
      await TASK_ACTS.acknowledgeCancel(scene);
      expect((await readStoredTask(scene)).status).toBe("canceled");
    },
  );

  it("ends the task when its lease expires", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    passTaskTime(scene, 45);
    await TASK_ACTS.cancel(scene);
    passTaskTime(scene, 15);
    await TASK_ACTS.sweep(scene);
    expect((await readStoredTask(scene)).status).toBe("canceled");
  });

  it("is reported by heartbeats and by one command", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    await TASK_ACTS.cancel(scene);
    await TASK_ACTS.cancel(scene);
    expect(await TASK_ACTS.heartbeat(scene)).toMatchObject({ cancelRequested: true, controlState: "active" });
    const commands = await scene.worker.db.agentCommand.findMany({ where: { taskId: scene.id } });
    expect(commands).toMatchObject([
      { type: "task.cancel", agentId: scene.worker.agentId, priority: "urgent", ackTimeoutSeconds: 10 },
    ]);
    const [command] = commands;
    // It is not needed once the task is canceled without its holder.
    expect((command?.expiresAt.getTime() ?? 0) - (command?.createdAt.getTime() ?? 0)).toBe(30_000);
  });

  it("is too late for completed work", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    await TASK_ACTS.cancel(scene);
    await TASK_ACTS.complete(scene);
    expect((await readStoredTask(scene)).status).toBe("completed");
  });

  it("prevents more questions", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    await TASK_ACTS.cancel(scene);
    expect(await getErrorCode(TASK_ACTS.ask(scene))).toBe("invalid_state");
  });
});
