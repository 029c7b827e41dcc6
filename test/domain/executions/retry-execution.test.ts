import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Execution } from "../../../src/db/generated/client.ts";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { revokeApproval } from "../../../src/domain/approvals/revoke-approval.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { completeExecution } from "../../../src/domain/executions/complete-execution.ts";
import { failExecution } from "../../../src/domain/executions/fail-execution.ts";
import { listExecutions } from "../../../src/domain/executions/list-executions.ts";
import { resolveExecution } from "../../../src/domain/executions/resolve-execution.ts";
import { startExecution } from "../../../src/domain/executions/start-execution.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { deletePolicy } from "../../../src/domain/policies/delete-policy.ts";
import type { ApprovalTerms } from "../../../src/domain/policies/policy-rule.ts";
import { updatePolicy } from "../../../src/domain/policies/update-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { type ApprovalScene, createApprovalScene } from "../../support/approval-scene.ts";
import { getErrorCode } from "../../support/callers.ts";
import { ASK, refund } from "../../support/gateway-scene.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const DENY = { name: "no refunds", effect: "deny" as const, actions: ["tools/call"] };

let world: TestWorld;
let scene: ApprovalScene;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function open(terms: Partial<ApprovalTerms> = {}): Promise<void> {
  scene = await createApprovalScene(world, terms);
}

/** An approved execution whose end nobody knows. */
async function startUnknown({
  role = "operator",
  request = refund(),
  persons = 1,
}: { role?: Role; request?: object; persons?: number } = {}) {
  const id = await scene.request(request);
  for (let count = 0; count < persons; count++) await grantApproval(await scene.person(role), { id });
  const { execution } = await scene.ask(request);
  if (execution === null) throw new Error("nothing was executed");
  return leaveUnknown(execution);
}

async function leaveUnknown({ id, fence }: Execution) {
  const call = { id, fence: Number(fence) };
  await failExecution(scene.agent, { ...call, error: { message: "timeout" }, effect: "unknown" });
  return call;
}

async function retry(person: Ctx, id: string) {
  return resolveExecution(person, { id, outcome: "retried", reason: "It never reached the bank." });
}

async function expectNoRetry(id: string, code: string, role: Role = "operator"): Promise<void> {
  expect(await getErrorCode(retry(await scene.person(role), id))).toBe(code);
  expect(await scene.ctx.db.execution.count({ where: { retryOf: id } })).toBe(0);
}

describe("resolveExecution, for a retry", () => {
  it("has the agent do it again, in another execution with a larger fence that uses no approval", async () => {
    await open();
    const call = await startUnknown();
    const { execution, retry: again } = await retry(await scene.person(), call.id);
    const { agent, agentId, ctx } = scene;
    expect(execution).toMatchObject({ status: "retried", resolvedReason: "It never reached the bank." });
    const { approvalId } = execution;
    expect(again).toMatchObject({
      status: "started",
      retryOf: call.id,
      useNumber: null,
      approvalId,
      agentId,
    });
    const id = again?.id ?? "";
    const fence = Number(again?.fence);
    expect(fence).toBeGreaterThan(call.fence);
    expect(await ctx.db.approval.findFirst()).toMatchObject({ usedCount: 1 });
    await expect(completeExecution(agent, call)).rejects.toMatchObject({ code: "invalid_state" });
    const uses = await listExecutions(agent, {}, { approvalId });
    expect(uses.nodes.map((one) => one.id)).toEqual([id, call.id]);
    expect(await readEventTypes(world.server, id)).toEqual(["execution.started"]);
    expect(await ctx.db.decision.findFirst({ where: { id: again?.decisionId ?? "" } })).toMatchObject({
      ...{ outcome: "allow", reason: "approval_granted", executionId: id, agentId },
    });
    expect(await completeExecution(agent, { id, fence })).toMatchObject({ status: "completed" });
  });

  it("has a larger fence even if the clock was set back", async () => {
    await open();
    const { id, fence } = await startUnknown();
    expect(Math.abs(fence / 1000 - Date.now())).toBeLessThan(3_600_000);
    await world.server.database.query("UPDATE execution SET fence = fence + 3600000000 WHERE id = $1", [id]);
    const { retry: again } = await retry(await scene.person(), id);
    expect(Number(again?.fence)).toBe(fence + 3_600_000_001);
  });

  it("can itself be retried", async () => {
    await open();
    const call = await startUnknown();
    const first = await retry(await scene.person(), call.id);
    if (first.retry === null) throw new Error("nothing was started");
    const { id } = await leaveUnknown(first.retry);
    expect((await retry(await scene.person(), id)).retry).toMatchObject({ retryOf: id, status: "started" });
  });

  it("asks the policies of now: one that denies denies, one that asks too is for the agent to ask", async () => {
    await open();
    const { id } = await startUnknown();
    const { id: deny } = await createPolicy(scene.ctx, DENY);
    await expectNoRetry(id, "policy_denied");
    expect(await scene.ctx.db.decision.findFirst({ where: { outcome: "deny" } })).toMatchObject({
      ...{ reason: "policy_deny", agentId: scene.agentId },
    });
    await updatePolicy(scene.ctx, { id: deny }, { ...DENY, effect: "ask" });
    await expectNoRetry(id, "approval_required");
  });

  it("is void once a policy that asked is edited", async () => {
    await open();
    const { id } = await startUnknown();
    await updatePolicy(scene.ctx, { id: scene.asking.id }, { ...ASK, description: "Edited" });
    await expectNoRetry(id, "approval_required");
  });

  it("is not one person's to decide where two had to approve", async () => {
    await open({ persons: 2 });
    const { id } = await startUnknown({ persons: 2 });
    await expectNoRetry(id, "approval_required", "owner");
  });

  it("is for the role that approved it, and not for who created the task", async () => {
    await open({ role: "admin" });
    const creator = await scene.person("admin");
    const task = await createTask(creator, { title: "Refund" });
    const request = refund(undefined, { context: { task_id: task.id } });
    const { id } = await startUnknown({ role: "admin", request });
    await expectNoRetry(id, "forbidden");
    expect(await getErrorCode(retry(creator, id))).toBe("self_approval");
    expect((await retry(await scene.person("admin"), id)).retry).not.toBeNull();
  });

  it("starts nothing whose approval was revoked, or of an agent that is paused or stopped", async () => {
    await open();
    const [paused, revoked] = [
      await startUnknown(),
      await startUnknown({ request: refund({ amount: 901 }) }),
    ];
    const { approvalId } = await scene.ctx.db.execution.findFirstOrThrow({ where: { id: revoked.id } });
    await revokeApproval(await scene.person(), { id: approvalId ?? "", reason: "No." });
    await expectNoRetry(revoked.id, "approval_expired");
    await setAgentControlState(scene.ctx, { id: scene.agentId, controlState: "paused" });
    await expectNoRetry(paused.id, "agent_paused");
    await emergencyStop(scene.ctx, { reason: "fire" });
    await expectNoRetry(paused.id, "emergency_stop");
  });

  it("starts nothing of which no request is stored as it was", async () => {
    await open();
    const { id } = await startUnknown({ request: refund({ amount: 900, token: "abc" }) });
    await expectNoRetry(id, "validation_failed");
  });

  it("reserves of budgets, which its report settles, and nothing if it is refused", async () => {
    await open();
    const { id } = await startUnknown();
    const { id: budgetId } = await createBudget(scene.ctx, {
      ...{ name: "calls", scope: { type: "workspace" }, unit: "calls", limit: "1", period: "total" },
    });
    const sums = () => scene.ctx.db.budgetWindow.findMany({ where: { budgetId } });
    const { id: deny } = await createPolicy(scene.ctx, DENY);
    await expectNoRetry(id, "policy_denied");
    expect((await sums()).filter(({ used }) => used > 0n)).toEqual([]);
    await deletePolicy(scene.ctx, { id: deny });
    const { retry: again } = await retry(await scene.person(), id);
    expect(await sums()).toMatchObject([{ used: 1n }]);
    if (again === null) throw new Error("nothing was started");
    await leaveUnknown(again);
    await expectNoRetry(again.id, "budget_exceeded");
  });

  it("opens one execution of what policies allow, if they still do", async () => {
    await open();
    const small = refund({ amount: 5 });
    const start = () =>
      startExecution(scene.agent, { decisionId: crypto.randomUUID(), requestText: JSON.stringify(small) });
    const { id } = await leaveUnknown(await start());
    expect((await retry(await scene.person(), id)).retry).toMatchObject({ approvalId: null, retryOf: id });
    const next = await leaveUnknown(await start());
    await createPolicy(scene.ctx, { ...DENY, effect: "ask" });
    await expectNoRetry(next.id, "approval_required");
  });

  it("starts it again once, however many people ask at once", async () => {
    await open();
    const { id } = await startUnknown();
    const people = await Promise.all(Array.from({ length: 5 }, () => scene.person()));
    const all = await Promise.allSettled(people.map((person) => retry(person, id)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await scene.ctx.db.execution.count({ where: { retryOf: id } })).toBe(1);
  });
});
