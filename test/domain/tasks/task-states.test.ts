import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TaskStatus } from "../../../src/db/generated/enums.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { getErrorCode } from "../../support/callers.ts";
import { ASK } from "../../support/gateway-scene.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import {
  TASK_ACTS,
  type TaskActName,
  passTaskTime,
  sceneIn,
  readStoredTask,
} from "../../support/task-scene.ts";
import { TASK_TABLE, type Outcome } from "../../support/task-table.ts";

let server: TestServer;
let workspaceId: string;

beforeAll(async () => {
  server = await startTestServer();
  ({ workspaceId } = await server.createWorkspace());
  await createPolicy(server.systemCtx(workspaceId), ASK);
});

afterAll(() => server.close());

const CASES = Object.entries(TASK_TABLE).flatMap(([from, acts]) =>
  Object.entries(acts).map(([act, outcome]) => ({ from, act, outcome })),
) as { from: TaskStatus; act: TaskActName; outcome: Outcome }[];

describe("the states of a task", () => {
  it("cover every action in the table; answers only for waiting tasks", () => {
    for (const [status, acts] of Object.entries(TASK_TABLE)) {
      const missing = Object.keys(TASK_ACTS).filter((act) => !(act in acts) && act !== "answer");
      expect(missing, status).toEqual([]);
    }
  });

  it.each(CASES)("$from, $act: $outcome", async ({ from, act, outcome }) => {
    const scene = await sceneIn({ server, workspaceId }, from);
    const before = await readStoredTask(scene);
    expect(before.status).toBe(from);
    const isRefused = !(outcome in TaskStatus);
    expect(await getErrorCode(Promise.resolve(TASK_ACTS[act](scene)))).toBe(isRefused ? outcome : "");
    const after = await readStoredTask(scene);
    if (isRefused) expect(after).toEqual(before);
    else expect(after.status).toBe(outcome);
  });

  it("reject actions with the current and allowed statuses", async () => {
    const { worker, id, token } = await sceneIn({ server, workspaceId }, "input_required");
    await expect(TASK_ACTS.complete({ worker, id, token } as never)).rejects.toMatchObject({
      details: { currentStatus: "input_required", allowed: ["working", "auth_required"] },
    });
  });
});

describe("deadlines of a task", () => {
  it("end an expired lease: the task is ready again, and its former holder is rejected", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    passTaskTime(scene, 60);
    expect(await getErrorCode(TASK_ACTS.heartbeat(scene))).toBe("lease_lost");
    expect(await getErrorCode(TASK_ACTS.complete(scene))).toBe("lease_lost");
    await TASK_ACTS.sweep(scene);
    const after = await readStoredTask(scene);
    expect(after).toMatchObject({ status: "submitted", attempt: 1, claimedByAgentId: null, error: null });
    expect(await getErrorCode(TASK_ACTS.complete(scene))).toBe("lease_lost");
    expect(await readStoredTask(scene)).toEqual(after);
  });

  it("fail a task when the lease of its last attempt expires", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working", { maxAttempts: 1 });
    passTaskTime(scene, 60);
    await TASK_ACTS.sweep(scene);
    expect(await readStoredTask(scene)).toMatchObject({
      status: "failed",
      error: { code: "lease_expired" },
      finishedAt: scene.worker.now,
    });
  });

  it("are extended by heartbeats, each by the length of the lease", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working");
    for (let round = 0; round < 5; round++) {
      passTaskTime(scene, 59);
      await TASK_ACTS.heartbeat(scene);
      await TASK_ACTS.sweep(scene);
    }
    expect((await readStoredTask(scene)).status).toBe("working");
  });

  it("are suspended while a question is open, and start over with the answer", async () => {
    const scene = await sceneIn({ server, workspaceId }, "input_required");
    passTaskTime(scene, 299);
    await TASK_ACTS.sweep(scene);
    expect((await TASK_ACTS.heartbeat(scene)).leaseExpiresAt).toBeNull();
    await TASK_ACTS.answer(scene);
    passTaskTime(scene, 59);
    await TASK_ACTS.sweep(scene);
    expect(await readStoredTask(scene)).toMatchObject({
      status: "working",
      attempt: 1,
      inputDeadlineAt: null,
    });
    await TASK_ACTS.complete(scene);
  });

  it("fail a task if its question isn't answered in time", async () => {
    const scene = await sceneIn({ server, workspaceId }, "input_required");
    passTaskTime(scene, 300);
    await TASK_ACTS.sweep(scene);
    expect(await readStoredTask(scene)).toMatchObject({ status: "failed", error: { code: "input_timeout" } });
    await TASK_ACTS.answer(scene);
    expect((await readStoredTask(scene)).status).toBe("failed");
  });

  it.each(["submitted", "working", "input_required"] as const)(
    "fail a task with status %s at its deadline",
    async (from) => {
      const deadlineAt = new Date("2100-01-01T00:00:30.000Z");
      const scene = await sceneIn({ server, workspaceId }, from, { deadlineAt });
      passTaskTime(scene, 29);
      await TASK_ACTS.sweep(scene);
      expect((await readStoredTask(scene)).status).toBe(from);
      passTaskTime(scene, 1);
      await TASK_ACTS.sweep(scene);
      expect(await readStoredTask(scene)).toMatchObject({
        status: "failed",
        error: { code: "deadline_exceeded" },
      });
    },
  );

  it.each(["working", "input_required"] as const)(
    "cancel a task with status %s 30 seconds after the request",
    async (from) => {
      const scene = await sceneIn({ server, workspaceId }, from);
      await TASK_ACTS.cancel(scene);
      passTaskTime(scene, 29);
      await TASK_ACTS.sweep(scene);
      expect((await readStoredTask(scene)).status).toBe(from);
      passTaskTime(scene, 1);
      await TASK_ACTS.sweep(scene);
      expect((await readStoredTask(scene)).status).toBe("canceled");
      expect(await getErrorCode(TASK_ACTS.complete(scene))).toBe("invalid_state");
    },
  );

  it.each([1, 2, 3, 8, 9, 10])(
    "allow the next attempt after failed attempt %i 2^attempt seconds later, at most 300",
    async (attempt) => {
      const scene = await sceneIn({ server, workspaceId }, "submitted", { maxAttempts: 20 });
      for (let made = 1; made < attempt; made++) {
        await TASK_ACTS.claim(scene);
        await TASK_ACTS.fail(scene);
        passTaskTime(scene, 300);
      }
      await TASK_ACTS.claim(scene);
      await TASK_ACTS.fail(scene);
      const waits = Math.min(2 ** attempt, 300);
      passTaskTime(scene, waits - 1);
      await TASK_ACTS.claim(scene);
      expect((await readStoredTask(scene)).status).toBe("submitted");
      passTaskTime(scene, 1);
      await TASK_ACTS.claim(scene);
      expect(await readStoredTask(scene)).toMatchObject({ status: "working", attempt: attempt + 1 });
    },
  );

  it("don't count released attempts, and each claim has its own lease", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working", { maxAttempts: 1 });
    for (let released = 0; released < 3; released++) {
      const { token } = scene;
      await TASK_ACTS.release(scene);
      expect(await readStoredTask(scene)).toMatchObject({ status: "submitted", attempt: 0 });
      await TASK_ACTS.claim(scene);
      expect(await readStoredTask(scene)).toMatchObject({ status: "working", attempt: 1 });
      expect(scene.token).not.toBe(token);
      expect(await getErrorCode(TASK_ACTS.heartbeat({ ...scene, token }))).toBe("lease_lost");
    }
    await TASK_ACTS.fail(scene);
    expect(await readStoredTask(scene)).toMatchObject({ status: "failed", attempt: 1 });
  });

  it("ignore the open question of a former holder", async () => {
    const scene = await sceneIn({ server, workspaceId }, "input_required");
    await TASK_ACTS.release(scene);
    expect(await readStoredTask(scene)).toMatchObject({
      status: "submitted",
      inputDeadlineAt: null,
      attempt: 0,
    });
    await TASK_ACTS.claim(scene);
    await TASK_ACTS.ask(scene);
    expect((await readStoredTask(scene)).status).toBe("input_required");
  });

  it("fail a task when its last attempt failed", async () => {
    const scene = await sceneIn({ server, workspaceId }, "working", { maxAttempts: 1 });
    await TASK_ACTS.fail(scene);
    expect(await readStoredTask(scene)).toMatchObject({
      status: "failed",
      error: { code: "agent_error", message: "It broke", retryable: true },
    });
  });
});
