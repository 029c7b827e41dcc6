import { describe, expect, it } from "vitest";
import { emergencyStop } from "../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../src/domain/stops/release-stop.ts";
import { userCtx } from "../support/callers.ts";
import { useClientScene } from "../support/client-scene.ts";

const scene = useClientScene();

describe("a client that an emergency stop keeps from a token", () => {
  it("works when the stop is released", async () => {
    const { server, workspaceId } = scene.world;
    const queue = `q-${crypto.randomUUID()}`;
    const id = await scene.createTask(queue);
    await emergencyStop(userCtx(server, workspaceId, "operator"), { reason: "x" });
    const refused = new Promise<unknown>((resolve) => {
      const loop = { queues: [queue], signal: scene.stop.signal, handle: async () => ({}), onError: resolve };
      scene.running.push(scene.agent.workTasks(loop));
    });
    expect(await refused).toMatchObject({ code: "emergency_stop" });
    await releaseEmergencyStop(userCtx(server, workspaceId, "admin"), { reason: "x" });
    expect((await scene.taskWhen(id, "completed")).status).toBe("completed");
  });
});
