import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Execution, Policy } from "../../../src/db/generated/client.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { completeExecution } from "../../../src/domain/executions/complete-execution.ts";
import { failExecution } from "../../../src/domain/executions/fail-execution.ts";
import { heartbeatExecution } from "../../../src/domain/executions/heartbeat-execution.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import { startExecution } from "../../../src/domain/executions/start-execution.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { ALLOW, ASK, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { type ApprovalFields, insertTestApproval } from "../../support/test-approvals.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let ctx: Ctx;
let agent: Ctx;
let agentId: string;
let asking: Policy;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx, agentId } = await createGatewayScene(world));
  agent = agentCtx(world.server, { id: agentId, workspaceId: ctx.workspaceId });
  await createPolicy(ctx, ALLOW);
  asking = await createPolicy(ctx, ASK);
});

function approve(fields: Partial<ApprovalFields> = {}, asked: object = refund()): Promise<string> {
  return insertTestApproval(ctx, asked, { agentId, policies: [asking], ...fields });
}

function redeem(approvalId: string, asked: object = refund(), by: Ctx = agent) {
  return redeemApproval(by, { approvalId, requestText: JSON.stringify(asked) });
}

/** The latest decision of the workspace. */
async function readDecision() {
  return ctx.db.decision.findFirst({ orderBy: { createdAt: "desc" } });
}

describe("redeemApproval", () => {
  it("opens one execution of what was approved, with its decision and event", async () => {
    const approvalId = await approve();
    const execution = await redeem(approvalId);
    expect(execution).toMatchObject({
      ...{ approvalId, useNumber: 1, agentId, status: "started", leaseSeconds: 120, retryOf: null },
      ...{ action: "tools/call", resourceType: "tool", resourceId: "stripe.refund" },
    });
    expect(await readDecision()).toMatchObject({
      ...{ id: execution.decisionId, outcome: "allow", reason: "approval_granted" },
      ...{ approvalId, executionId: execution.id },
    });
    expect(await readEventTypes(world.server, execution.id)).toEqual(["execution.started"]);
    await expect(redeem(approvalId)).rejects.toMatchObject({
      code: "already_executed",
      details: { executionId: execution.id, currentStatus: "started" },
    });
    expect(await readDecision()).toMatchObject({ outcome: "deny", reason: "approval_expired", approvalId });
  });

  it("refuses another API key of the agent than that which asked", async () => {
    const approvalId = await approve();
    const { workspaceId } = ctx;
    const other = agentCtx(world.server, { id: agentId, workspaceId }, { lineageId: crypto.randomUUID() });
    await expect(redeem(approvalId, refund(), other)).rejects.toMatchObject({ code: "forbidden" });
    expect(await readDecision()).toMatchObject({ outcome: "deny", reason: "out_of_scope", approvalId });
    const execution = await redeem(approvalId);
    expect(execution).toMatchObject({ approvalId });
    const call = { id: execution.id, fence: Number(execution.fence) };
    const error = { code: "broken", message: "It broke." };
    for (const act of [
      () => heartbeatExecution(other, call),
      () => completeExecution(other, call),
      () => failExecution(other, { ...call, error, effect: "none" }),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: "forbidden" });
    }
    expect(await heartbeatExecution(agent, call)).toMatchObject({ controlState: "active" });
    expect(await completeExecution(agent, call)).toMatchObject({ status: "completed" });
  });

  it("gives the same execution for a repeated Idempotency-Key, as long as it may go on", async () => {
    const once = async (key: number, work: () => Promise<Execution>) => {
      agent.idempotency = { key: `once ${key}`, requestHash: new Uint8Array(32).fill(key) };
      try {
        return await work();
      } finally {
        agent.idempotency = null;
      }
    };
    const [ended, held] = [await approve(), await approve({}, refund({ amount: 800 }))];
    const one = await once(1, () => redeem(ended));
    expect(await once(1, () => redeem(ended))).toMatchObject({ id: one.id, fence: one.fence });
    await completeExecution(agent, { id: one.id, fence: Number(one.fence) });
    await expect(once(1, () => redeem(ended))).rejects.toMatchObject({
      code: "already_executed",
      details: { executionId: one.id, currentStatus: "completed" },
    });
    const two = () => once(2, () => redeem(held, refund({ amount: 800 })));
    const decisionId = crypto.randomUUID();
    const plain = () =>
      once(3, () =>
        startExecution(agent, { decisionId, requestText: JSON.stringify(refund({ amount: 5 })) }),
      );
    const started = [await two(), await plain()];
    for (const [controlState, code] of [
      ["paused", "agent_paused"],
      ["active", null],
    ] as const) {
      await setAgentControlState(ctx, { id: agentId, controlState });
      for (const [index, repeat] of [two, plain].entries()) {
        if (code === null) expect(await repeat()).toMatchObject({ id: started[index]?.id });
        else await expect(repeat()).rejects.toMatchObject({ code });
      }
    }
    await createPolicy(ctx, { name: "no", effect: "deny", actions: ["tools/call"] });
    await expect(two()).rejects.toMatchObject({ code: "policy_denied" });
    await expect(plain()).rejects.toMatchObject({ code: "policy_denied" });
    expect(await readDecision()).toMatchObject({ outcome: "deny", reason: "policy_deny" });
  });

  it("refuses other arguments, tools and agents", async () => {
    const approvalId = await approve();
    await expect(redeem(approvalId, refund({ amount: 901 }))).rejects.toMatchObject({
      code: "arguments_changed",
    });
    expect(await readDecision()).toMatchObject({ outcome: "deny", reason: "out_of_scope" });
    const otherTool = { ...refund(), resource: { type: "tool", id: "stripe.refund_all" } };
    await expect(redeem(approvalId, otherTool)).rejects.toMatchObject({ code: "arguments_changed" });
    const other = await createGatewayScene(world);
    const outsider = agentCtx(world.server, { id: other.agentId, workspaceId: other.ctx.workspaceId });
    await expect(redeem(approvalId, refund(), outsider)).rejects.toMatchObject({ code: "not_found" });
    const { id: colleagueId } = await ctx.db.agent.create({
      data: {
        workspaceId: ctx.workspaceId,
        id: crypto.randomUUID(),
        handle: "other",
        name: "Other",
        kind: "software",
      },
    });
    const colleague = agentCtx(world.server, { id: colleagueId, workspaceId: ctx.workspaceId });
    await expect(redeem(approvalId, refund(), colleague)).rejects.toMatchObject({ code: "not_found" });
    expect(await redeem(approvalId)).toMatchObject({ useNumber: 1 });
  });

  it("needs a person's yes that still holds", async () => {
    const past = new Date(Date.now() - 1000);
    const cases: [Partial<ApprovalFields>, string][] = [
      [{ status: "pending" }, "approval_required"],
      [{ status: "denied" }, "policy_denied"],
      [{ status: "expired" }, "approval_expired"],
      [{ status: "cancelled" }, "approval_expired"],
      [{ approvedUntil: past }, "approval_expired"],
      [{ revokedAt: past }, "approval_expired"],
    ];
    for (const [fields, code] of cases) {
      const approvalId = await approve(fields);
      await expect(redeem(approvalId), code).rejects.toMatchObject({ code });
    }
    expect(await ctx.db.execution.count()).toBe(0);
  });

  it("is void once a policy that asked is edited, and not by edits of others", async () => {
    const approvals = [await approve(), await approve()];
    const other = await createPolicy(ctx, { ...ALLOW, name: "other" });
    await updatePolicy(ctx, { id: other.id }, { ...ALLOW, name: "other", effect: "allow", when: "true" });
    expect(await redeem(approvals[0] ?? "")).toMatchObject({ status: "started" });
    await updatePolicy(ctx, { id: asking.id }, { ...ASK, when: "has(args.amount) && args.amount > 400" });
    await expect(redeem(approvals[1] ?? "")).rejects.toMatchObject({ code: "approval_expired" });
  });

  it("checks the policies of now: a new one that denies denies, without one that asks it is allowed", async () => {
    const [first, second] = [await approve(), await approve()];
    const deny = await createPolicy(ctx, { name: "no", effect: "deny", actions: ["tools/call"] });
    await expect(redeem(first)).rejects.toMatchObject({ code: "policy_denied" });
    expect(await readDecision()).toMatchObject({ outcome: "deny", reason: "policy_deny" });
    await deletePolicy(ctx, { id: deny.id });
    const alsoAsking = await createPolicy(ctx, { ...ASK, name: "asks too" });
    await expect(redeem(first)).rejects.toMatchObject({ code: "approval_expired" });
    await deletePolicy(ctx, { id: alsoAsking.id });
    await deletePolicy(ctx, { id: asking.id });
    expect(await redeem(second)).toMatchObject({ status: "started" });
  });

  it("is refused while the agent or the workspace is stopped", async () => {
    const approvalId = await approve();
    await setAgentControlState(ctx, { id: agentId, controlState: "paused" });
    await expect(redeem(approvalId)).rejects.toMatchObject({ code: "agent_paused" });
    await setAgentControlState(ctx, { id: agentId, controlState: "active" });
    await emergencyStop(ctx, { reason: "fire" });
    await expect(redeem(approvalId)).rejects.toMatchObject({ code: "emergency_stop" });
    expect(await readDecision()).toMatchObject({ outcome: "deny", reason: "emergency_stop" });
  });

  it("permits the arguments of the approver, whichever of the two is presented", async () => {
    const edited = { amount: 600 };
    const [first, second, third] = [
      await approve({ edited }),
      await approve({ edited }),
      await approve({ edited }),
    ];
    const one = await redeem(first, refund({ amount: 900 }));
    const two = await redeem(second, refund(edited));
    expect(one.requestHash).toEqual(two.requestHash);
    expect(await readDecision()).toMatchObject({
      request: { action: { properties: { arguments: edited } } },
    });
    await expect(redeem(third, refund({ amount: 700 }))).rejects.toMatchObject({ code: "arguments_changed" });
  });

  it("permits as many uses as were approved, of any arguments if it is for the tool", async () => {
    const approvalId = await approve({ uses: 2, scope: "tool" });
    expect(await redeem(approvalId, refund({ amount: 700 }))).toMatchObject({ useNumber: 1 });
    expect(await redeem(approvalId, refund({ amount: 800 }))).toMatchObject({ useNumber: 2 });
    await expect(redeem(approvalId)).rejects.toMatchObject({ code: "already_executed" });
  });

  it("refuses an actor without the scope, and anybody but agents", async () => {
    const approvalId = await approve();
    const limited = agentCtx(world.server, { id: agentId, workspaceId: ctx.workspaceId }, { scopes: [] });
    await expect(redeem(approvalId, refund(), limited)).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(redeem(approvalId, refund(), ctx)).rejects.toMatchObject({ code: "forbidden" });
  });
});
