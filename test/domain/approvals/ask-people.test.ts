import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { revokeApproval } from "../../../src/domain/approvals/revoke-approval.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { completeExecution } from "../../../src/domain/executions/complete-execution.ts";
import { endSessionExecution } from "../../../src/domain/executions/end-session-execution.ts";
import { checkRequest } from "../../../src/domain/gateway-checks/check-request.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { cancelTask } from "../../../src/domain/tasks/cancel-task.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { createApprovalScene } from "../../support/approval-scene.ts";
import { getErrorCode } from "../../support/callers.ts";
import { ASK, refund } from "../../support/gateway-scene.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const WAIT = { waitSeconds: 25 };

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function readStatus(ctx: Ctx, id: string): Promise<string> {
  return (await ctx.db.approval.findFirstOrThrow({ where: { id } })).status;
}

/** How many requests of the agent wait. */
function countWaits(agent: Ctx): number {
  const { count, leave } = agent.services.live.enterWait(agent);
  leave();
  return count - 1;
}

describe("a check about which policies ask", () => {
  it("asks people once for the same request, and each other request by itself", async () => {
    const { ask, ctx } = await createApprovalScene(world);
    const first = await ask();
    expect(first).toMatchObject({ status: "pending", reason: "approval_required", execution: null });
    const again = await Promise.all(Array.from({ length: 5 }, () => ask()));
    expect(new Set(again.map(({ approval }) => approval?.id))).toEqual(new Set([first.approval?.id]));
    expect((await ask(refund({ amount: 901 }))).approval?.id).not.toBe(first.approval?.id);
    expect(await ctx.db.approval.count()).toBe(2);
    const stored = await ctx.db.decision.findFirst({ where: { id: first.id } });
    expect(stored).toMatchObject({ outcome: "ask", approvalId: first.approval?.id });
    expect(first.approval?.decisionId).toBe(first.id);
  });

  it("asks nobody if the caller wants that", async () => {
    const { ask, ctx } = await createApprovalScene(world);
    const options = { autoRequest: false };
    expect(await ask(undefined, options)).toMatchObject({ status: "denied", reason: "approval_required" });
    expect(await ctx.db.approval.count()).toBe(0);
  });

  it("allows once what was approved, then asks again", async () => {
    const { ask, request, person } = await createApprovalScene(world);
    const id = await request();
    await grantApproval(await person(), { id });
    const allowed = await ask();
    expect(allowed).toMatchObject({ status: "allowed", reason: "approval_granted" });
    expect(allowed.execution).toMatchObject({ approvalId: id, useNumber: 1 });
    expect(allowed.approval).toMatchObject({ id, usedCount: 1 });
    const next = await ask();
    expect(next.status).toBe("pending");
    expect(next.approval?.id).not.toBe(id);
  });

  it("allows any call of the tool if the policy says so", async () => {
    const { ask, request, person } = await createApprovalScene(world, { scope: "tool", uses: 2 });
    const id = await request();
    await grantApproval(await person(), { id });
    expect((await ask(refund({ amount: 901 }))).status).toBe("allowed");
    expect((await ask(refund({ amount: 902 }))).status).toBe("allowed");
    expect((await ask(refund({ amount: 903 }))).status).toBe("pending");
    const other = { ...refund(), resource: { type: "tool", id: "stripe.refund_all" } };
    expect((await ask(other)).approval?.id).not.toBe(id);
  });

  it("keeps to a person's no for as long as an approval would be valid", async () => {
    const { ask, ctx, request, person } = await createApprovalScene(world, { validSeconds: 60 });
    const id = await request();
    await denyApproval(await person(), { id, comment: "Not today." });
    expect(await ask()).toMatchObject({ status: "denied", reason: "approval_denied", approval: { id } });
    const decidedAt = new Date(Date.now() - 61_000);
    await ctx.db.approval.updateMany({ where: { id }, data: { decidedAt } });
    const next = await ask();
    expect(next.status).toBe("pending");
    await grantApproval(await person(), { id: next.approval?.id ?? "" });
    await revokeApproval(await person(), { id: next.approval?.id ?? "", reason: "No." });
    expect(await ask()).toMatchObject({ status: "denied", reason: "approval_denied" });
  });

  it("waits for people, and answers in the same call", async () => {
    const { ask, person, ctx } = await createApprovalScene(world);
    const approver = await person();
    for (const [decide, answer] of [
      [grantApproval, { status: "allowed", reason: "approval_granted" }],
      [denyApproval, { status: "denied", reason: "approval_denied" }],
    ] as const) {
      const asked = refund({ amount: 1000 + answer.status.length });
      const { approval } = await ask(asked);
      const waiting = ask(asked, WAIT);
      await decide(approver, { id: approval?.id ?? "", comment: "Said." });
      expect(await waiting).toMatchObject(answer);
    }
    expect(await ctx.db.execution.count()).toBe(1);
  });

  it("uses exactly the approval that the request names", async () => {
    const { ask, request, person } = await createApprovalScene(world);
    const [small, large] = [await request(refund({ amount: 600 })), await request(refund({ amount: 900 }))];
    const approver = await person();
    const named = (amount: number, id: string) => ask(refund({ amount }, { context: { approval: { id } } }));
    expect(await named(600, small)).toMatchObject({ status: "pending", approval: { id: small } });
    await grantApproval(approver, { id: small });
    expect(await named(900, small)).toMatchObject({ status: "denied", reason: "out_of_scope" });
    expect(await named(600, small)).toMatchObject({ status: "allowed", execution: { approvalId: small } });
    expect(await named(600, small)).toMatchObject({ status: "denied", reason: "approval_expired" });
    expect((await named(900, large)).status).toBe("pending");
    expect(await getErrorCode(named(900, crypto.randomUUID()))).toBe("not_found");
    const bad = ask(refund(undefined, { context: { approval: "x" } }));
    expect(await getErrorCode(bad)).toBe("validation_failed");
  });

  it("gives the same execution for a repeated Idempotency-Key", async () => {
    const { ask, agent, request, person } = await createApprovalScene(world);
    await grantApproval(await person(), { id: await request() });
    agent.idempotency = { key: "once", requestHash: new Uint8Array(32).fill(1) };
    const [one, two] = [await ask(), await ask()];
    agent.idempotency = null;
    expect(one).toMatchObject({ status: "allowed", reason: "approval_granted" });
    expect({ ...two, execution: two.execution?.id, approval: two.approval?.id }).toEqual({
      ...{ ...one, execution: one.execution?.id, approval: one.approval?.id },
    });
    expect((await ask()).status).toBe("pending");
  });

  it("denies a repeated Idempotency-Key once the agent is stopped, policies deny or the execution has ended", async () => {
    const { ask, ctx, agent, agentId, approved } = await createApprovalScene(world);
    const approval = { context: { approval: { id: await approved() } } };
    const again = async () => {
      agent.idempotency = { key: "once", requestHash: new Uint8Array(32).fill(1) };
      const check = await ask(refund({ amount: 900 }, approval));
      agent.idempotency = null;
      return check;
    };
    const { execution } = await again();
    await setAgentControlState(ctx, { id: agentId, controlState: "paused" });
    expect(await again()).toMatchObject({ status: "denied", reason: "agent_paused", execution: null });
    await setAgentControlState(ctx, { id: agentId, controlState: "active" });
    expect(await again()).toMatchObject({ status: "allowed", execution: { id: execution?.id } });
    const denying = await createPolicy(ctx, { name: "no", effect: "deny", actions: ["tools/call"] });
    expect(await again()).toMatchObject({ status: "denied", reason: "policy_deny", execution: null });
    await deletePolicy(ctx, { id: denying.id });
    await completeExecution(agent, { id: execution?.id ?? "", fence: Number(execution?.fence) });
    expect(await again()).toMatchObject({
      ...{ status: "denied", reason: "approval_expired" },
      execution: { id: execution?.id, status: "completed" },
    });
  });

  it("gives another API key of the agent nothing for the same session key", async () => {
    const { ask, ctx, agentId, approved } = await createApprovalScene(world);
    await approved();
    const session = { sessionKey: "a session" };
    expect(await ask(refund(), session)).toMatchObject({ status: "allowed" });
    const { workspaceId } = ctx;
    const other = agentCtx(world.server, { id: agentId, workspaceId }, { lineageId: crypto.randomUUID() });
    const requestText = JSON.stringify(refund());
    const readDenial = async () => {
      const { reason, outcome } = await ctx.db.decision.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
      return { reason, outcome };
    };
    const tampering = { reason: "out_of_scope", outcome: "deny" } as const;
    expect(await getErrorCode(checkRequest(other, { requestText, ...session }))).toBe("forbidden");
    expect(await readDenial()).toEqual(tampering);
    expect(await getErrorCode(ask(refund({ amount: 901 }), session))).toBe("arguments_changed");
    expect(await ctx.db.decision.count({ where: tampering })).toBe(2);
    expect(await getErrorCode(endSessionExecution(other, session))).toBe("forbidden");
    expect(await ask(refund(), session)).toMatchObject({ status: "allowed" });
  });

  it("denies what is too large to ask about, and what a secret is not shown of", async () => {
    const { ask, ctx } = await createApprovalScene(world, { edits: true });
    const large = refund({ amount: 900, note: "x".repeat(LIMITS.approvalRequestBytes) });
    expect(await ask(large)).toMatchObject({ status: "denied", reason: "request_unusable", approval: null });
    const { approval } = await ask(refund({ amount: 900, password: "hunter22" }), { acceptEdits: true });
    expect(approval).toMatchObject({ hiddenValues: 1, canEdit: false });
    expect(JSON.stringify(await ctx.db.approval.findMany())).not.toContain("hunter22");
  });

  it("asks at most so many questions at once", async () => {
    const { ask, ctx } = await createApprovalScene(world);
    const most = LIMITS.pendingApprovalsOfAgent;
    const amounts = Array.from({ length: most + 5 }, (_, n) => 600 + n);
    const codes: string[] = [];
    // No more at once than the pool has connections.
    for (let from = 0; from < amounts.length; from += 10) {
      const some = amounts.slice(from, from + 10).map((amount) => getErrorCode(ask(refund({ amount }))));
      codes.push(...(await Promise.all(some)));
    }
    expect(codes.toSorted()).toEqual(Array(most).fill("").concat(Array(5).fill("rate_limited")));
    expect(await ctx.db.approval.count({ where: { status: "pending" } })).toBe(most);
  });
});

describe("an open question", () => {
  it("is void when a policy that asks is changed, and no other", async () => {
    const { ask, ctx, request, asking } = await createApprovalScene(world);
    const id = await request();
    await createPolicy(ctx, { name: "other", effect: "deny", actions: ["x"] });
    expect(await readStatus(ctx, id)).toBe("pending");
    await updatePolicy(ctx, { id: asking.id }, { ...ASK, description: "Changed." });
    expect(await readStatus(ctx, id)).toBe("cancelled");
    expect(await readEventTypes(world.server, id)).toEqual(["approval.requested", "approval.cancelled"]);
    expect((await ask()).status).toBe("pending");
  });

  it("is asked anew when another policy asks too", async () => {
    const { ask, ctx, request, person } = await createApprovalScene(world);
    const id = await request();
    await createPolicy(ctx, { name: "all refunds", effect: "ask", actions: ["tools/call"] });
    const { approval } = await ask();
    expect(approval?.id).not.toBe(id);
    expect(await readStatus(ctx, id)).toBe("cancelled");
    await grantApproval(await person(), { id: approval?.id ?? "" });
    expect((await ask()).status).toBe("allowed");
  });

  it("is void when its agent or its task ends, and a held check ends with it", async () => {
    const ends: ((scene: { ctx: Ctx; agentId: string; taskId: string }) => Promise<unknown>)[] = [
      ({ ctx, agentId }) => setAgentControlState(ctx, { id: agentId, controlState: "stopped" }),
      ({ ctx, agentId }) => archiveAgent(ctx, agentId),
      ({ ctx, taskId }) => cancelTask(ctx, { id: taskId }),
      ({ ctx }) => emergencyStop(ctx, { reason: "Test." }),
    ];
    for (const end of ends) {
      const { ask, ctx, agent, agentId } = await createApprovalScene(world);
      const { id: taskId } = await createTask(ctx, { title: "Refund" });
      const asked = refund(undefined, { context: { task_id: taskId } });
      const { approval } = await ask(asked);
      const held = ask(asked, WAIT).then(
        ({ status }) => status,
        () => "refused",
      );
      await expect.poll(() => countWaits(agent)).toBe(1);
      await end({ ctx, agentId, taskId });
      expect(["denied", "refused"]).toContain(await held);
      expect(await readStatus(ctx, approval?.id ?? "")).toBe("cancelled");
      expect(await ctx.db.execution.count()).toBe(0);
    }
  });
});
