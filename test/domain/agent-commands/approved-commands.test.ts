import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { getCurrentHash } from "../../../src/domain/approvals/move-approval.ts";
import { sweepApprovals } from "../../../src/domain/approvals/sweep-approvals.ts";
import { checkRequest } from "../../../src/domain/gateway-checks/check-request.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import type { PolicyRuleInput } from "../../../src/domain/policies/policy-rule.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { cancelTask } from "../../../src/domain/tasks/cancel-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { getErrorCode, getErrorDetails } from "../../support/callers.ts";
import { holdLock } from "../../support/locked-table.ts";
import { type OrderScene, createOrderScene } from "../../support/order-scene.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

type Waiting = OrderScene & {
  policyId: string;
  commandId: string;
  approvalId: string;
  taskId: string;
};

/** A command of an agent, for a task, that waits for people. */
async function createWaiting(
  approval: PolicyRuleInput["approval"] = {},
  params: Record<string, unknown> = { width: 3 },
): Promise<Waiting> {
  const scene = await createOrderScene(world);
  const { id: policyId } = await scene.rule("ask", { approval });
  const { id: taskId } = await createTask(scene.ctx, { title: "A task" });
  const command = await scene.issue(scene.agent, { params, taskId });
  return { ...scene, policyId, taskId, commandId: command.id, approvalId: command.approvalId ?? "" };
}

/** Ends the questions as if their time was over. */
async function sweepLater(): Promise<unknown> {
  return sweepApprovals(world.server.services, new Date(Date.now() + 901_000));
}

/** What ends a question, and what becomes of the command. */
const ENDS: [string, (waiting: Waiting) => Promise<unknown>, { status: string; error: object | null }][] = [
  [
    "is denied",
    async ({ person, approvalId }) => denyApproval(await person(), { id: approvalId, comment: "Not now." }),
    { status: "canceled", error: { code: "approval_denied", message: "Not now." } },
  ],
  ["is not decided in time", sweepLater, { status: "expired", error: { code: "approval_expired" } }],
  [
    "is canceled",
    async ({ person, commandId }) => cancelAgentCommand(await person(), { id: commandId }),
    { status: "canceled", error: null },
  ],
  [
    "is taken back by the agent that issued it",
    async ({ agent, approvalId }) => cancelApproval(agent, { id: approvalId }),
    { status: "canceled", error: { code: "approval_cancelled" } },
  ],
  [
    "is for an agent that is stopped",
    async ({ person, robotId }) =>
      setAgentControlState(await person(), { id: robotId, controlState: "stopped" }),
    { status: "canceled", error: { code: "approval_cancelled" } },
  ],
  [
    "is issued by an agent that is stopped",
    async ({ person, agentId }) =>
      setAgentControlState(await person(), { id: agentId, controlState: "stopped" }),
    { status: "canceled", error: { code: "approval_cancelled" } },
  ],
  [
    "is for an agent that is archived",
    async ({ ctx, robotId }) => archiveAgent(ctx, robotId),
    { status: "canceled", error: { code: "approval_cancelled" } },
  ],
  [
    "is under an emergency stop",
    async ({ person }) => emergencyStop(await person(), { reason: "Fire." }),
    { status: "canceled", error: { code: "approval_cancelled" } },
  ],
  [
    "is asked about by a policy that is deleted",
    async ({ ctx, policyId }) => deletePolicy(ctx, { id: policyId }),
    { status: "canceled", error: { code: "approval_cancelled" } },
  ],
  [
    "is for a task that is canceled",
    async ({ ctx, taskId }) => cancelTask(ctx, { id: taskId }),
    { status: "canceled", error: { code: "approval_cancelled" } },
  ],
];

describe("a command that waits for approval", () => {
  it.each(ENDS)("ends if it %s", async (_what, end, expected) => {
    const waiting = await createWaiting();
    await end(waiting);
    const { person, commandId, approvalId, readCommand, readApproval } = waiting;
    const command = await readCommand(commandId);
    const { status, error } = expected;
    expect(command).toMatchObject({ status, nextDeadlineAt: null, error });
    expect(command.finishedAt).not.toBeNull();
    const types = await readEventTypes(world.server, commandId);
    expect(types).toEqual(["agent_command.created", "agent_command.finished"]);
    expect((await readApproval(approvalId)).status).not.toBe("pending");
    expect(await getErrorCode(grantApproval(await person(), { id: approvalId }))).not.toBe("");
    expect((await readCommand(commandId)).status).toBe(status);
  });

  it("waits no longer than until it expires", async () => {
    const scene = await createOrderScene(world);
    await scene.rule("ask");
    const command = await scene.issue(scene.agent, { expiresInSeconds: 30 });
    const { expiresAt } = await scene.readApproval(command.approvalId);
    expect(expiresAt).toEqual(command.expiresAt);
  });

  it("is approved by two where two must, and not by who issued it", async () => {
    const scene = await createOrderScene(world);
    await scene.rule("ask", { approval: { persons: 2 } });
    const issuer = await scene.person();
    const { id, approvalId } = await scene.issue(issuer);
    const approval = { id: approvalId ?? "" };
    expect(await getErrorCode(grantApproval(issuer, approval))).toBe("self_approval");
    await grantApproval(await scene.person(), approval);
    expect((await scene.readCommand(id)).status).toBe("awaiting_approval");
    const second = await scene.person();
    await grantApproval(second, approval);
    expect((await scene.readCommand(id)).status).toBe("queued");
    expect((await grantApproval(second, approval)).status).toBe("approved");
  });

  it("is not sent if policies deny it by now, and asks stricter people if policies ask those", async () => {
    const { rule, person, approvalId, commandId, readCommand } = await createWaiting();
    await rule("deny");
    expect(await getErrorCode(grantApproval(await person(), { id: approvalId }))).toBe("policy_denied");
    expect((await readCommand(commandId)).status).toBe("awaiting_approval");
    const again = await createWaiting();
    await again.rule("ask", { approval: { role: "admin" } });
    const refused = grantApproval(await again.person(), { id: again.approvalId });
    expect(await getErrorCode(refused)).toBe("forbidden");
    await grantApproval(await again.person("admin"), { id: again.approvalId });
    expect((await again.readCommand(again.commandId)).status).toBe("queued");
  });

  it("is sent with the params of an approver where policies allow that", async () => {
    const { person, approvalId, commandId, readCommand, ctx, robotId } = await createWaiting({ edits: true });
    const schema = { type: "object", properties: { width: { type: "number", maximum: 9 } } };
    const capabilities = [{ type: "custom.open", params_schema: JSON.stringify(schema) }];
    await ctx.db.agent.updateMany({ where: { id: robotId }, data: { capabilities } });
    const operator = await person();
    const wrong = grantApproval(operator, { id: approvalId, arguments: { width: 10 } });
    expect(await getErrorDetails(wrong)).toMatchObject({ field: "arguments.width" });
    await grantApproval(operator, { id: approvalId, arguments: { width: 5 } });
    expect(await readCommand(commandId)).toMatchObject({ status: "queued", params: { width: 5 } });
    const plain = await createWaiting();
    const edit = grantApproval(await plain.person(), { id: plain.approvalId, arguments: {} });
    expect(await getErrorDetails(edit)).toMatchObject({ field: "arguments" });
  });

  it("is decided by what it is sent with, whatever an approver puts back meanwhile", async () => {
    const waiting = await createWaiting({ edits: true, persons: 2 });
    const { person, approvalId: id, commandId, readCommand, readApproval, rule, robotId } = waiting;
    const [first, second, third] = [await person(), await person(), await person()];
    const requestHash = getCurrentHash(await readApproval(id));
    await grantApproval(first, { id, arguments: { width: 8 } });
    await rule("deny", { when: "args.width == 8" });
    const held = await holdLock(world.server.database, "SELECT FROM agent WHERE id = $1 FOR UPDATE", [
      robotId,
    ]);
    const back = grantApproval(second, { id, arguments: { width: 3 } });
    await held.waiters(1);
    const granted = grantApproval(third, { id, requestHash });
    const code = getErrorCode(granted);
    await held.waiters(2);
    await held.release();
    expect((await back).status).toBe("pending");
    // Both take the agent's lock at once. Who is first with what was denied is told so, and sends nothing.
    const isTold = (await code) === "policy_denied";
    const { status } = isTold ? await grantApproval(third, { id, requestHash }) : await granted;
    expect(status).toBe("approved");
    expect(await readCommand(commandId)).toMatchObject({ status: "queued", params: { width: 3 } });
  });

  it("is decided by what the params are, and shown without secrets", async () => {
    const scene = await createOrderScene(world);
    await scene.rule("ask", { when: 'args.password == "opensesame"', approval: { edits: true } });
    const { id, approvalId } = await scene.issue(scene.agent, { params: { password: "opensesame" } });
    const approval = await scene.readApproval(approvalId);
    expect(JSON.stringify(approval.request)).not.toContain("opensesame");
    expect(approval).toMatchObject({ hiddenValues: 1, canEdit: false });
    await grantApproval(await scene.person(), { id: approval.id });
    expect((await scene.readCommand(id)).params).toEqual({ password: "opensesame" });
  });

  it("is approved for itself alone: not for what its agent asks the gateway", async () => {
    const { agent, agentId, person, approvalId, robotId, ctx } = await createWaiting();
    await grantApproval(await person(), { id: approvalId });
    const action = { name: "custom.open", properties: { arguments: { width: 3 } } };
    const request = { action, resource: { type: "agent", id: robotId }, context: {} };
    const asked = await checkRequest(agent, { requestText: JSON.stringify(request) });
    expect(asked).toMatchObject({ status: "pending" });
    expect(asked.approval?.id).not.toBe(approvalId);
    const named = { ...request, context: { approval: { id: approvalId } } };
    const used = await checkRequest(agent, { requestText: JSON.stringify(named) });
    expect(used.status).not.toBe("allowed");
    expect(await ctx.db.execution.count({ where: { agentId } })).toBe(0);
  });

  it("is not approved under a stop, which may not have cancelled the question yet", async () => {
    const { ctx, person, approvalId, commandId, readCommand } = await createWaiting();
    const workspaceId = ctx.workspaceId;
    const by = { type: "system", id: null, name: "a test" };
    const stop = { workspaceId, id: crypto.randomUUID(), reason: "Fire.", by, at: new Date() };
    await ctx.db.stop.create({ data: { ...stop, sent: true } });
    expect(await getErrorCode(grantApproval(await person(), { id: approvalId }))).toBe("emergency_stop");
    expect((await readCommand(commandId)).status).toBe("awaiting_approval");
  });
});

describe("two who decide about a waiting command at once", () => {
  const RIVALS: [string, (waiting: Waiting) => Promise<unknown>][] = [
    ["cancels it", async ({ ctx, commandId }) => cancelAgentCommand(ctx, { id: commandId })],
    [
      "denies it",
      async ({ person, approvalId }) => denyApproval(await person(), { id: approvalId, comment: "No." }),
    ],
    ["sweeps it", sweepLater],
    [
      "stops its agent",
      async ({ ctx, robotId }) => setAgentControlState(ctx, { id: robotId, controlState: "stopped" }),
    ],
  ];

  it.each(RIVALS)("have one outcome if one approves it and the other %s", async (_name, rival) => {
    const waiting = await createWaiting();
    const { agent, issue, person, ctx } = waiting;
    const approver = await person();
    for (let round = 0; round < 12; round++) {
      const { id, approvalId } = await issue(agent);
      const one = { ...waiting, commandId: id, approvalId: approvalId ?? "" };
      const acts = [() => grantApproval(approver, { id: one.approvalId }), () => rival(one)];
      await Promise.allSettled((round % 2 === 0 ? acts : acts.toReversed()).map((act) => act()));
      const [command, approval] = [await one.readCommand(id), await one.readApproval(approvalId)];
      const wasSent = approval.status === "approved";
      expect(command.error === null || !wasSent).toBe(true);
      expect(wasSent ? ["queued", "canceled"] : ["canceled", "expired"]).toContain(command.status);
      expect(approval.status).not.toBe("pending");
      if (command.status === "queued") await cancelAgentCommand(ctx, { id });
      const events = await readEventTypes(world.server, id);
      expect(events.filter((type) => type === "agent_command.finished")).toHaveLength(1);
      await setAgentControlState(ctx, { id: one.robotId, controlState: "active" });
    }
  });
});
