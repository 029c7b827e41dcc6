import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { getCurrentHash } from "../../../src/domain/approvals/move-approval.ts";
import { cancelMission } from "../../../src/domain/missions/cancel-mission.ts";
import { resumeMission } from "../../../src/domain/missions/pause-mission.ts";
import { sweepMissions } from "../../../src/domain/missions/sweep-missions.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { cancelTask } from "../../../src/domain/tasks/cancel-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { getErrorCode, getErrorDetails } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type OrderScene, createOrderScene } from "../../support/order-scene.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import {
  type WaitingMission,
  createWaitingMission,
  sweepApprovalsLater,
} from "../../support/waiting-mission.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function createWaiting(
  approval?: PolicyRuleInput["approval"],
  input?: Parameters<OrderScene["create"]>[1],
): Promise<WaitingMission> {
  return createWaitingMission(world, approval, input);
}

const CANCELLED = { status: "canceled", error: { type: "approval_cancelled" } };

/** What ends a question, and what becomes of the mission. */
const ENDS: [
  string,
  (waiting: WaitingMission) => Promise<unknown>,
  { status: string; error: object | null },
][] = [
  [
    "is denied",
    async ({ person, approvalId }) => denyApproval(await person(), { id: approvalId, comment: "Not now." }),
    {
      status: "canceled",
      error: { type: "approval_denied", level: "warning", detail: "Not now.", step_key: null },
    },
  ],
  [
    "is not decided in time",
    async () => sweepApprovalsLater(world),
    { status: "expired", error: { type: "approval_expired" } },
  ],
  [
    "is canceled",
    async ({ person, missionId }) => cancelMission(await person(), { id: missionId }),
    { status: "canceled", error: null },
  ],
  [
    "is canceled by force",
    async ({ person, missionId }) => cancelMission(await person(), { id: missionId, force: true }),
    { status: "canceled", error: null },
  ],
  [
    "is taken back by the agent that created it",
    async ({ agent, approvalId }) => cancelApproval(agent, { id: approvalId }),
    CANCELLED,
  ],
  [
    "is for a robot that is stopped",
    async ({ person, robotId }) =>
      setAgentControlState(await person(), { id: robotId, controlState: "stopped" }),
    CANCELLED,
  ],
  [
    "is created by an agent that is stopped",
    async ({ person, agentId }) =>
      setAgentControlState(await person(), { id: agentId, controlState: "stopped" }),
    CANCELLED,
  ],
  ["is for a robot that is archived", async ({ ctx, robotId }) => archiveAgent(ctx, robotId), CANCELLED],
  [
    "is under an emergency stop",
    async ({ person }) => emergencyStop(await person(), { reason: "Fire." }),
    CANCELLED,
  ],
  [
    "is for a robot that an emergency stop covers by its labels",
    async ({ ctx, person, robotId }) => {
      await ctx.db.agent.updateMany({ where: { id: robotId }, data: { labels: { zone: "hot" } } });
      await emergencyStop(await person(), { reason: "Fire.", scope: { labels: { zone: "hot" } } });
    },
    CANCELLED,
  ],
  [
    "is asked about by a policy that is deleted",
    async ({ ctx, policyId }) => deletePolicy(ctx, { id: policyId }),
    CANCELLED,
  ],
  ["is for a task that is canceled", async ({ ctx, taskId }) => cancelTask(ctx, { id: taskId }), CANCELLED],
];

async function countCommands({ ctx }: OrderScene): Promise<number> {
  return ctx.db.agentCommand.count({ where: { type: "mission.start" } });
}

describe("a mission that waits for approval", () => {
  it.each(ENDS)("ends if it %s", async (_what, end, expected) => {
    const waiting = await createWaiting();
    await end(waiting);
    const { person, missionId, approvalId, readMission, readApproval } = waiting;
    const mission = await readMission(missionId);
    const { status, error } = expected;
    expect(mission).toMatchObject({ status, robotId: null, error });
    expect(mission.finishedAt).not.toBeNull();
    expect(await readEventTypes(world.server, missionId)).toEqual(["mission.created", "mission.finished"]);
    expect((await readApproval(approvalId)).status).not.toBe("pending");
    expect(await getErrorCode(grantApproval(await person(), { id: approvalId }))).not.toBe("");
    await sweepMissions(world.server.services);
    expect((await readMission(missionId)).status).toBe(status);
    expect(await countCommands(waiting)).toBe(0);
  });

  it("ends with every one of its robots if it leaves them open", async () => {
    const scene = await createOrderScene(world);
    await insertTestAgent(scene.ctx, "robot");
    await scene.rule("ask");
    const { id, allowedRobotIds } = await scene.create(scene.agent, { selector: null });
    expect(allowedRobotIds).toHaveLength(2);
    await setAgentControlState(await scene.person(), { id: scene.robotId, controlState: "stopped" });
    expect(await scene.readMission(id)).toMatchObject(CANCELLED);
  });

  it("is not assigned, paused or resumed meanwhile, and is once it is approved", async () => {
    const waiting = await createWaiting();
    const { person, missionId, approvalId, readMission, robotId, readApproval } = waiting;
    await sweepMissions(world.server.services);
    const operator = await person();
    expect(await getErrorCode(resumeMission(operator, { id: missionId }))).toBe("invalid_state");
    expect((await readMission(missionId)).status).toBe("awaiting_approval");
    expect(await countCommands(waiting)).toBe(0);
    await grantApproval(operator, { id: approvalId });
    expect(await readMission(missionId)).toMatchObject({ status: "assigned", robotId });
    expect(await countCommands(waiting)).toBe(1);
    expect(await readApproval(approvalId)).toMatchObject({ status: "approved", usedCount: 1 });
    expect(await readEventTypes(world.server, missionId)).toEqual([
      ...["mission.created", "mission.updated", "mission.assigned"],
    ]);
  });

  it("waits for a robot once it is approved, if none is free", async () => {
    const waiting = await createWaiting({}, { minBatteryPercent: 100 });
    const { person, missionId, approvalId, readMission } = waiting;
    await grantApproval(await person(), { id: approvalId });
    expect((await readMission(missionId)).status).toBe("pending");
  });

  it("waits no longer than until its deadline", async () => {
    const deadlineAt = new Date(Date.now() + 30_000);
    const { approvalId, readApproval } = await createWaiting({}, { deadlineAt });
    expect((await readApproval(approvalId)).expiresAt).toEqual(deadlineAt);
  });

  it("is approved by two where two must, and not by who created it or its task", async () => {
    const scene = await createOrderScene(world);
    await scene.rule("ask", { approval: { persons: 2 } });
    const issuer = await scene.person();
    const { id, approvalId } = await scene.create(issuer);
    const approval = { id: approvalId ?? "" };
    expect(await getErrorCode(grantApproval(issuer, approval))).toBe("self_approval");
    await grantApproval(await scene.person(), approval);
    expect((await scene.readMission(id)).status).toBe("awaiting_approval");
    await grantApproval(await scene.person(), approval);
    expect((await scene.readMission(id)).status).toBe("pending");
    const { id: taskId } = await createTask(issuer, { title: "Mine" });
    const ofTask = await scene.create(scene.agent, { taskId });
    const granting = grantApproval(issuer, { id: ofTask.approvalId ?? "" });
    expect(await getErrorCode(granting)).toBe("self_approval");
  });

  it("is not assigned if policies deny it by now, and asks stricter people if policies ask those", async () => {
    const { rule, person, approvalId, missionId, readMission } = await createWaiting();
    await rule("ask", { approval: { role: "admin" } });
    expect(await getErrorCode(grantApproval(await person(), { id: approvalId }))).toBe("forbidden");
    await rule("deny");
    expect(await getErrorCode(grantApproval(await person("admin"), { id: approvalId }))).toBe(
      "policy_denied",
    );
    expect((await readMission(missionId)).status).toBe("awaiting_approval");
  });

  it("is approved by whoever the policies ask for by now", async () => {
    const { rule, person, approvalId, missionId, readMission } = await createWaiting();
    await rule("ask", { approval: { role: "admin" } });
    await grantApproval(await person("admin"), { id: approvalId });
    expect((await readMission(missionId)).status).toBe("assigned");
  });

  it("is done with the plan of an approver where policies allow that", async () => {
    const { person, approvalId, missionId, readMission, readApproval, rule, ctx } = await createWaiting({
      edits: true,
    });
    await rule("deny", { when: 'args.kind == "patrol"' });
    const operator = await person();
    const plan = {
      ...{ title: "Bring it slowly", kind: "custom", priority: 9, deadline_at: "2100-01-01T00:00:00Z" },
      steps: [
        { key: "wait", type: "wait" },
        { key: "drive", type: "move", params: { speed: 1 } },
      ],
    };
    const wrong = { ...plan, steps: [...plan.steps, { key: "drive", type: "move" }] };
    const refused = grantApproval(operator, { id: approvalId, arguments: wrong });
    expect(await getErrorDetails(refused)).toMatchObject({ field: "arguments.steps.2.key" });
    const unknown = grantApproval(operator, { id: approvalId, arguments: { ...plan, speed: 1 } });
    expect(await getErrorDetails(unknown)).toMatchObject({ field: "arguments.speed" });
    const far = grantApproval(operator, { id: approvalId, arguments: { ...plan, deadline_at: "tomorrow" } });
    expect(await getErrorDetails(far)).toMatchObject({ field: "arguments.deadline_at" });
    const denied = grantApproval(operator, { id: approvalId, arguments: { ...plan, kind: "patrol" } });
    expect(await getErrorCode(denied)).toBe("policy_denied");
    await grantApproval(operator, { id: approvalId, arguments: plan });
    const mission = await readMission(missionId);
    expect(mission).toMatchObject({
      ...{ status: "assigned", title: "Bring it slowly", kind: "custom", priority: 9, progress: 0 },
      deadlineAt: new Date(plan.deadline_at),
      steps: [
        { seq: 1, key: "wait", type: "wait", params: {}, status: "waiting" },
        { seq: 2, key: "drive", type: "move", params: { speed: 1 }, status: "waiting" },
      ],
    });
    const start = await ctx.db.agentCommand.findFirstOrThrow({ where: { type: "mission.start" } });
    expect(start.params).toMatchObject({ ...plan, deadline_at: "2100-01-01T00:00:00.000Z", steps: [{}, {}] });
    expect((await readApproval(approvalId)).editedHash).not.toBeNull();
  });

  it("is approved as it is only by who says which plan they saw, if it can be changed", async () => {
    const { person, approvalId, missionId, readApproval, readMission } = await createWaiting({ edits: true });
    const operator = await person();
    const unseen = grantApproval(operator, { id: approvalId });
    expect(await getErrorDetails(unseen)).toMatchObject({ field: "requestHash" });
    const requestHash = getCurrentHash(await readApproval(approvalId));
    await grantApproval(operator, { id: approvalId, requestHash });
    expect(await readMission(missionId)).toMatchObject({ status: "assigned", title: "Bring it" });
  });

  it("keeps its plan where policies allow no edits", async () => {
    const { person, approvalId } = await createWaiting();
    const edit = grantApproval(await person(), { id: approvalId, arguments: {} });
    expect(await getErrorDetails(edit)).toMatchObject({ field: "arguments.title" });
    const whole = { title: "Other", kind: "custom", steps: [{ key: "wait", type: "wait" }] };
    const other = grantApproval(await person(), { id: approvalId, arguments: whole });
    expect(await getErrorDetails(other)).toMatchObject({ field: "arguments" });
  });

  it("is decided by what its plan is, and shown without secrets", async () => {
    const scene = await createOrderScene(world);
    const when = 'args.steps.exists(s, has(s.params.password) && s.params.password == "opensesame")';
    await scene.rule("ask", { when, approval: { edits: true } });
    const steps = [{ key: "open", type: "action" as const, params: { password: "opensesame" } }];
    const { id, approvalId } = await scene.create(scene.agent, { steps });
    const approval = await scene.readApproval(approvalId);
    expect(approval).toMatchObject({ hiddenValues: 1, canEdit: false });
    expect(JSON.stringify(approval.request)).not.toContain("opensesame");
    await grantApproval(await scene.person(), { id: approval.id });
    expect((await scene.readMission(id)).steps).toMatchObject([{ params: { password: "opensesame" } }]);
  });

  it("is not approved under a stop, which may not have cancelled the question yet", async () => {
    const { ctx, person, approvalId, missionId, readMission } = await createWaiting();
    const by = { type: "system", id: null, name: "a test" };
    const stop = {
      workspaceId: ctx.workspaceId,
      id: crypto.randomUUID(),
      reason: "Fire.",
      by,
      at: new Date(),
    };
    await ctx.db.stop.create({ data: { ...stop, sent: true } });
    expect(await getErrorCode(grantApproval(await person(), { id: approvalId }))).toBe("emergency_stop");
    expect((await readMission(missionId)).status).toBe("awaiting_approval");
  });
});
