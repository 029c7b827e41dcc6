import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { completeExecution } from "../../../src/domain/executions/complete-execution.ts";
import { listExecutions } from "../../../src/domain/executions/list-executions.ts";
import { startExecution } from "../../../src/domain/executions/start-execution.ts";
import { sweepExecutions } from "../../../src/domain/executions/sweep-executions.ts";
import { checkRequest } from "../../../src/domain/gateway-checks/check-request.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { CALLS } from "../../support/budget-scene.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { ALLOW, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const REQUEST = JSON.stringify(refund());

let world: TestWorld;
let ctx: Ctx;
let agent: Ctx;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx, agentId } = await createGatewayScene(world));
  agent = agentCtx(world.server, { id: agentId, workspaceId: ctx.workspaceId });
  await createPolicy(ctx, ALLOW);
});

describe("startExecution", () => {
  it("opens what policies allow, asked again, without events but what people must know", async () => {
    const decisionId = crypto.randomUUID();
    const execution = await startExecution(agent, { decisionId, requestText: REQUEST, leaseSeconds: 10 });
    expect(execution).toMatchObject({ approvalId: null, decisionId, leaseSeconds: 10, status: "started" });
    expect(await ctx.db.decision.findFirst({ where: { executionId: execution.id } })).toMatchObject({
      ...{ outcome: "allow", reason: "policy_allow" },
    });
    const before = await listExecutions(ctx, {});
    const quiet = await startExecution(agent, { decisionId, requestText: REQUEST });
    const after = await listExecutions(ctx, {});
    expect({ total: after.total, isChanged: after.ticks > before.ticks }).toEqual({
      total: 2,
      isChanged: true,
    });
    await completeExecution(agent, { id: quiet.id, fence: Number(quiet.fence) });
    expect(await readEventTypes(world.server, quiet.id)).toEqual([]);
    await sweepExecutions(world.server.services, new Date(execution.leaseExpiresAt.getTime() + 1));
    expect(await readEventTypes(world.server, execution.id)).toEqual(["execution.unknown"]);
  });

  it("decides once where budgets apply, and again only if policies have changed meanwhile", async () => {
    await createBudget(ctx, CALLS);
    const { services } = world.server;
    let decisions = 0;
    let afterFirst = async () => {};
    const runInTurns: typeof services.policies.runInTurns = async (workspaceId, work) => {
      const decided = await services.policies.runInTurns(workspaceId, work);
      if (decisions++ === 0) await afterFirst();
      return decided;
    };
    const watched = { ...services, policies: { ...services.policies, runInTurns } };
    const caller = agentCtx(
      { ...world.server, services: watched },
      { id: agentId, workspaceId: ctx.workspaceId },
    );
    const call = { decisionId: crypto.randomUUID(), requestText: REQUEST };
    expect(await startExecution(caller, call)).toMatchObject({ status: "started" });
    expect(decisions).toBe(1);
    decisions = 0;
    afterFirst = async () => {
      await createPolicy(ctx, { name: "deny", effect: "deny", actions: ["tools/call"] });
    };
    await expect(startExecution(caller, call)).rejects.toMatchObject({ code: "policy_denied" });
    expect(decisions).toBe(2);
  });

  it("tells nobody of another agent's checks, and uses nothing of theirs", async () => {
    await createBudget(ctx, CALLS);
    const { workspaceId } = ctx;
    const other = agentCtx(world.server, { id: await insertTestAgent(ctx), workspaceId });
    const { id, reservation } = await checkRequest(other, { requestText: REQUEST });
    await expect.poll(() => ctx.db.decision.count({ where: { id } })).toBe(1);
    const read = () => ctx.db.reservation.findFirst({ where: { id: reservation?.id ?? "" } });
    for (const decisionId of [id, crypto.randomUUID()]) {
      const own = await startExecution(agent, { decisionId, requestText: REQUEST });
      expect(own).toMatchObject({ decisionId, agentId, status: "started" });
    }
    expect(await read()).toMatchObject({ executionId: null });
    const theirs = await startExecution(other, { decisionId: id, requestText: REQUEST });
    expect(await read()).toMatchObject({ executionId: theirs.id });
  });

  it("reserves anew if a budget was made since the check, which would not count otherwise", async () => {
    await createBudget(ctx, CALLS);
    const { id: decisionId, reservation } = await checkRequest(agent, { requestText: REQUEST });
    const { id: budgetId } = await createBudget(ctx, { ...CALLS, name: "since", limit: "1" });
    const { id: executionId } = await startExecution(agent, { decisionId, requestText: REQUEST });
    const bound = await ctx.db.reservation.findFirstOrThrow({ where: { executionId } });
    expect(bound.id).not.toBe(reservation?.id);
    const call = { decisionId: crypto.randomUUID(), requestText: REQUEST };
    await expect(startExecution(agent, call)).rejects.toMatchObject({
      ...{ code: "budget_exceeded", details: { budget: { id: budgetId } } },
    });
  });

  it("is refused if policies deny, or a person must approve", async () => {
    const call = { decisionId: crypto.randomUUID(), requestText: REQUEST };
    await createPolicy(ctx, { name: "ask", effect: "ask", actions: ["tools/call"] });
    await expect(startExecution(agent, call)).rejects.toMatchObject({ code: "approval_required" });
    await createPolicy(ctx, { name: "deny", effect: "deny", actions: ["tools/call"] });
    await expect(startExecution(agent, call)).rejects.toMatchObject({ code: "policy_denied" });
    await setAgentControlState(ctx, { id: agentId, controlState: "stopped" });
    await expect(startExecution(agent, call)).rejects.toMatchObject({ code: "agent_paused" });
    const reasons = await ctx.db.decision.findMany({
      orderBy: { createdAt: "asc" },
      select: { reason: true },
    });
    expect(reasons.map(({ reason }) => reason)).toEqual([
      "approval_required",
      "policy_deny",
      "agent_stopped",
    ]);
    const limited = agentCtx(world.server, { id: agentId, workspaceId: ctx.workspaceId }, { scopes: [] });
    await expect(startExecution(limited, call)).rejects.toMatchObject({ code: "insufficient_scope" });
  });
});
