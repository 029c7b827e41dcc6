import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { sweepApprovals } from "../../../src/domain/approvals/sweep-approvals.ts";
import { checkRequest } from "../../../src/domain/gateway-checks/check-request.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { sendMessage } from "../../../src/domain/messages/send-message.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { cancelTask } from "../../../src/domain/tasks/cancel-task.ts";
import { completeTask } from "../../../src/domain/tasks/complete-task.ts";
import { failTask } from "../../../src/domain/tasks/fail-task.ts";
import { heartbeatTask } from "../../../src/domain/tasks/heartbeat-task.ts";
import { sweepTasks } from "../../../src/domain/tasks/sweep-tasks.ts";
import { sweepWaitingTasks } from "../../../src/domain/tasks/sweep-waiting-tasks.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { ASK, refund } from "../../support/gateway-scene.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { claimNew } from "../../support/workers.ts";

let world: TestWorld;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld();
  second = await startOn(world.server.database);
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

/** An agent that holds a task and asks about calls for it. */
type Scene = ApprovalScene & {
  taskId: string;
  leaseToken: string;
  /** Asks people about a refund for the task. @returns the approval's id. */
  askFor: (amount?: number) => Promise<string>;
  readTask: () => Promise<Awaited<ReturnType<typeof readTask>>>;
};

async function createScene(fields: Parameters<typeof claimNew>[1] = {}): Promise<Scene> {
  const scene = await createApprovalScene(world);
  const { task, token } = await claimNew(scene.agent, fields);
  return {
    ...scene,
    ...{ taskId: task.id, leaseToken: token },
    askFor: (amount = 900) => scene.request(refundFor(task.id, amount)),
    readTask: () => readTask(scene.ctx, task.id),
  };
}

function refundFor(taskId: string, amount = 900): object {
  return refund({ amount }, { context: { task_id: taskId } });
}

async function readTask({ db, workspaceId }: Ctx, id: string) {
  return db.task.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } } });
}

async function readTaskEvents({ db }: Ctx, subjectId: string) {
  const events = await db.event.findMany({ where: { subjectId }, orderBy: { seq: "asc" } });
  return events.map(({ type, data }) => ({ type, data }));
}

/** The stored numbers of tasks by status. */
async function readTotals({ db }: Ctx): Promise<Record<string, number>> {
  const rows = await db.collectionTotal.findMany({ where: { collection: "tasks" } });
  return Object.fromEntries(rows.filter(({ total }) => total > 0).map(({ facet, total }) => [facet, total]));
}

async function readApprovalStatus({ db }: Ctx, id: string): Promise<string> {
  return (await db.approval.findFirstOrThrow({ where: { id } })).status;
}

/** How many requests of the agent wait. */
function countWaits(agent: Ctx): number {
  const { count, leave } = agent.services.live.enterWait(agent);
  leave();
  return count - 1;
}

const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);

/** Every way in which an approval ends. */
const ENDS: Record<string, (scene: Scene, id: string) => Promise<unknown>> = {
  "a grant": async ({ person }, id) => grantApproval(await person(), { id }),
  "a denial": async ({ person }, id) => denyApproval(await person(), { id, comment: "No." }),
  "its withdrawal": ({ agent }, id) => cancelApproval(agent, { id }),
  "its expiry": ({ agent }) => sweepApprovals(agent.services, later(25)),
  "a change of the policy": ({ ctx, asking }) =>
    updatePolicy(ctx, { id: asking.id }, { ...ASK, when: "has(args.amount)" }),
};

describe("a task whose holder asks people about a call", () => {
  it("waits for them: the event, the totals and the task say for what", async () => {
    const { askFor, readTask: read, ctx, taskId } = await createScene();
    const before = await read();
    const approvalId = await askFor();
    const { decisionId } = await ctx.db.approval.findFirstOrThrow({ where: { id: approvalId } });
    expect(await read()).toMatchObject({
      ...{ status: "auth_required", approvalId, decisionId, leaseExpiresAt: null },
      ...{ generation: before.generation + 1, attempt: 1 },
    });
    const [event] = (await readTaskEvents(ctx, taskId)).slice(-1);
    expect(event).toMatchObject({
      type: "task.updated",
      data: { status: "auth_required", approval_id: approvalId, decision_id: decisionId },
    });
    expect(await readTotals(ctx)).toEqual({ all: 1, auth_required: 1 });
  });

  it("waits once, however often the same is asked", async () => {
    const { askFor, readTask: read } = await createScene();
    const id = await askFor();
    const { generation } = await read();
    expect(await askFor()).toBe(id);
    expect((await read()).generation).toBe(generation);
  });

  it.each(Object.keys(ENDS))("works on after %s, and its lease starts over", async (end) => {
    const scene = await createScene();
    const { askFor, readTask: read, ctx, taskId, leaseToken, agent } = scene;
    const id = await askFor();
    await ENDS[end]?.(scene, id);
    const task = await read();
    expect(task.status).toBe("working");
    expect((task.leaseExpiresAt?.getTime() ?? 0) - task.updatedAt.getTime()).toBe(60_000);
    expect(await readTotals(ctx)).toEqual({ all: 1, working: 1 });
    const [event] = (await readTaskEvents(ctx, taskId)).slice(-1);
    expect(event).toMatchObject({ type: "task.updated", data: { status: "working" } });
    expect(await getErrorCode(completeTask(agent, { id: taskId, leaseToken }))).toBe("");
  });

  it("waits for the other approval, and names it, while one of two is open", async () => {
    const { askFor, readTask: read, person } = await createScene();
    const [first, other] = [await askFor(900), await askFor(901)];
    expect((await read()).approvalId).toBe(first);
    const approver = await person();
    await grantApproval(approver, { id: first });
    expect(await read()).toMatchObject({ status: "auth_required", approvalId: other, leaseExpiresAt: null });
    await denyApproval(approver, { id: other, comment: "No." });
    expect(await read()).toMatchObject({ status: "working" });
  });

  it("works on when two approvals end at once, on two nodes", async () => {
    const { askFor, readTask: read, ctx, agentId, lineageId } = await createScene();
    const { workspaceId } = ctx;
    const nodes = [world.server, second].map((node) =>
      agentCtx(node, { id: agentId, workspaceId }, { lineageId }),
    );
    for (let round = 0; round < 20; round++) {
      const ids = [await askFor(1000 + 2 * round), await askFor(1001 + 2 * round)];
      expect((await read()).status).toBe("auth_required");
      await Promise.all(nodes.map((node, place) => cancelApproval(node, { id: ids[place] ?? "" })));
      expect((await read()).status).toBe("working");
    }
  });

  it("doesn't lose its lease while people think, but keeps its deadline", async () => {
    const { askFor, readTask: read, agent, taskId, leaseToken } = await createScene({ deadlineAt: later(2) });
    await askFor();
    await sweepTasks(agent.services, later(1));
    expect((await read()).status).toBe("auth_required");
    expect(await heartbeatTask(agent, { id: taskId, leaseToken })).toMatchObject({ leaseExpiresAt: null });
    await sweepTasks(agent.services, later(2.1));
    expect(await read()).toMatchObject({ status: "failed", error: { code: "deadline_exceeded" } });
  });

  it("answers a question first, then waits on", async () => {
    const { askFor, readTask: read, agent, ctx, person, taskId, leaseToken } = await createScene();
    const ask = async () =>
      (await sendMessage(agent, { taskId, leaseToken, kind: "question", parts: [{ text: "Which?" }] }))
        .message;
    const answer = (replyToId: string) =>
      sendMessage(userCtx(world.server, ctx.workspaceId, "operator"), {
        ...{ kind: "answer" as const, replyToId, parts: [{ text: "This" }] },
      });
    const id = await askFor();
    const first = await ask();
    expect((await read()).status).toBe("input_required");
    await answer(first.id);
    expect(await read()).toMatchObject({ status: "auth_required", leaseExpiresAt: null });
    await grantApproval(await person(), { id });
    const question = await ask();
    const other = await askFor(901);
    expect(await read()).toMatchObject({ status: "input_required", approvalId: other });
    await answer(question.id);
    expect((await read()).status).toBe("auth_required");
    await cancelApproval(agent, { id: other });
    expect((await read()).status).toBe("working");
    expect(await readTotals(ctx)).toEqual({ all: 1, working: 1 });
  });

  it("ends when its holder ends it: nobody is asked any more, and who waits is answered", async () => {
    const { askFor, ask, readTask: read, ctx, agent, taskId, leaseToken } = await createScene();
    const id = await askFor();
    const held = ask(refundFor(taskId), { waitSeconds: 25 });
    await expect.poll(() => countWaits(agent)).toBe(1);
    await completeTask(agent, { id: taskId, leaseToken });
    expect(await read()).toMatchObject({ status: "completed" });
    expect(await readApprovalStatus(ctx, id)).toBe("cancelled");
    expect((await held).status).not.toBe("allowed");
    expect(await readTotals(ctx)).toMatchObject({ all: 1, completed: 1 });
  });

  it("keeps what people are asked for the next attempt of the same agent", async () => {
    const { askFor, readTask: read, ctx, agent, taskId, leaseToken } = await createScene();
    const id = await askFor();
    await failTask(agent, { id: taskId, leaseToken, error: { message: "It broke" } });
    expect((await read()).status).toBe("submitted");
    expect(await readApprovalStatus(ctx, id)).toBe("pending");
    expect(await readTotals(ctx)).toEqual({ all: 1, submitted: 1 });
  });

  it("has its cancellation requested: nobody is asked any more, and asking again changes nothing", async () => {
    const { askFor, readTask: read, ctx, taskId } = await createScene();
    const id = await askFor();
    const operator = userCtx(world.server, ctx.workspaceId, "operator");
    const told = await cancelTask(operator, { id: taskId });
    expect(told.status).toBe("working");
    expect(await read()).toEqual(told);
    expect(await readApprovalStatus(ctx, id)).toBe("cancelled");
    await askFor();
    expect(await read()).toEqual(told);
    expect(await readTotals(ctx)).toEqual({ all: 1, working: 1 });
  });

  it.each([
    [
      "its agent is stopped",
      (ctx: Ctx, id: string) => setAgentControlState(ctx, { id, controlState: "stopped" }),
    ],
    ["an emergency stop covers it", (ctx: Ctx) => emergencyStop(ctx, { reason: "Fire" })],
  ])("stops when %s", async (_name, stop) => {
    const { askFor, readTask: read, ctx, agentId } = await createScene();
    const id = await askFor();
    await stop(userCtx(world.server, ctx.workspaceId, "admin"), agentId);
    await expect.poll(() => readApprovalStatus(ctx, id)).toBe("cancelled");
    const task = await read();
    expect(task.status).toBe("working");
    expect(task.cancelRequestedAt).not.toBeNull();
  });
});

describe("a task about which another agent asks", () => {
  it("is left alone", async () => {
    const { taskId, ctx, readTask: read, lineageId } = await createScene();
    const before = await read();
    const id = await insertTestAgent(ctx);
    const { workspaceId } = ctx;
    const other = agentCtx(world.server, { id, workspaceId }, { lineageId });
    const asked = await checkRequest(other, { requestText: JSON.stringify(refundFor(taskId)) });
    expect(asked.status).toBe("pending");
    expect(await read()).toEqual(before);
  });
});

describe("the sweep of tasks that wait", () => {
  it("lets a task go on whose approval was lost, and leaves those alone that people are asked about", async () => {
    const [lost, kept] = [await createScene(), await createScene()];
    const id = await lost.askFor();
    await kept.askFor();
    await lost.ctx.db.approval.deleteMany({ where: { id } });
    await sweepWaitingTasks(world.server.services);
    expect(await lost.readTask()).toMatchObject({ status: "working" });
    expect((await lost.readTask()).leaseExpiresAt).not.toBeNull();
    expect(await readTotals(lost.ctx)).toEqual({ all: 1, working: 1 });
    expect((await kept.readTask()).status).toBe("auth_required");
  });
});
