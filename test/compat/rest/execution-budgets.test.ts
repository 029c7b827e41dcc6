import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { readReservation } from "../../../src/domain/budgets/read-reservation.ts";
import { releaseReservation } from "../../../src/domain/budgets/release-reservation.ts";
import { settleReservation } from "../../../src/domain/budgets/settle-reservation.ts";
import { sweepBudgets } from "../../../src/domain/budgets/sweep-budgets.ts";
import { startExecution } from "../../../src/domain/executions/start-execution.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { approve } from "../../support/approve.ts";
import { CALLS, DOLLARS, findWrongSums, readSums } from "../../support/budget-scene.ts";
import { getErrorCode } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import {
  ALLOW,
  ASK,
  CHECK_PATH,
  type GatewayScene,
  createGatewayScene,
  refund,
} from "../../support/gateway-scene.ts";
import { expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const EXECUTIONS_PATH = "/api/v1/gateway/executions";

let world: TestWorld;
let scene: GatewayScene;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createGatewayScene(world);
  await createPolicy(scene.ctx, ALLOW);
});

async function check(amount: number) {
  const { body } = await scene.agent.post(CHECK_PATH, { request: refund({ amount }) });
  return body.check;
}

function execute(by: object, { amount = 5, key = null }: { amount?: number; key?: string | null } = {}) {
  const body = { ...by, request: refund({ amount }) };
  return scene.agent.post(EXECUTIONS_PATH, body, key === null ? {} : { "idempotency-key": key });
}

async function approved(amount: number): Promise<string> {
  const { approval } = await check(amount);
  await approve(world.server, scene.ctx.workspaceId, approval.id);
  return approval.id;
}

async function sums(): Promise<string[][]> {
  expect(await findWrongSums(world.server, scene.ctx.workspaceId)).toEqual([]);
  return (await readSums(world.server, scene.ctx.workspaceId)).map(({ used, reserved }) => [used, reserved]);
}

it("an execution uses what its check reserved, and another reserves anew", async () => {
  await createBudget(scene.ctx, { ...CALLS, limit: "2" });
  const { id } = await check(5);
  const { status, body } = await execute({ decision_id: id });
  expect(status).toBe(201);
  expect(await sums()).toEqual([["1", "0"]]);
  expect(await scene.ctx.db.reservation.findMany({ where: { decisionId: id } })).toMatchObject([
    { executionId: body.execution.id },
  ]);
  expect((await execute({ decision_id: id })).status).toBe(201);
  expect(await sums()).toEqual([["2", "0"]]);
  expectProblem(await execute({ decision_id: id }), 409, "budget_exceeded");
  expect(await sums()).toEqual([["2", "0"]]);
});

it("a reservation is for one of many executions at once", async () => {
  await createBudget(scene.ctx, { ...CALLS, limit: "40" });
  for (let round = 1; round <= 10; round++) {
    const { id } = await check(5);
    const answers = await Promise.all(Array.from({ length: 4 }, () => execute({ decision_id: id })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await sums()).toEqual([[`${4 * round}`, "0"]]);
  }
  const { id } = await check(5);
  expectProblem(await execute({ decision_id: id }), 409, "budget_exceeded");
});

it("an execution for another agent uses what the delegate's check reserved for that agent", async () => {
  await createBudget(scene.ctx, { ...CALLS, limit: "1" });
  const other = await insertTestAgent(scene.ctx);
  const request = { ...refund({ amount: 5 }), subject: { type: "agent", id: other } };
  const { body } = await scene.agent.post(CHECK_PATH, { request });
  const call = { decision_id: body.check.id, request };
  expect((await scene.agent.post(EXECUTIONS_PATH, call)).status).toBe(201);
  expectProblem(await scene.agent.post(EXECUTIONS_PATH, call), 409, "budget_exceeded");
});

it("an execution that needs more than its check reserved, or whose agent has settled that, reserves anew", async () => {
  await createBudget(scene.ctx, { ...DOLLARS, limit: "2.5" });
  const cheap = refund({ amount: 5 }, { context: { estimate: { usd: "0.1" } } });
  const dear = refund({ amount: 5 }, { context: { estimate: { usd: "2" } } });
  const ask = async () => (await scene.agent.post(CHECK_PATH, { request: cheap })).body.check;
  const start = (decision_id: string, request: object) =>
    scene.agent.post(EXECUTIONS_PATH, { decision_id, request });
  const first = await ask();
  expect((await start(first.id, dear)).status).toBe(201);
  expect(await sums()).toEqual([["0", "2100000"]]);
  expectProblem(await start(first.id, dear), 409, "budget_exceeded");
  expect((await start(first.id, cheap)).status).toBe(201);
  expect(await sums()).toEqual([["0", "2100000"]]);
  expectProblem(await start(first.id, refund({ amount: 5 })), 409, "budget_exceeded");
  const second = await ask();
  const settled = { amounts: { usd: "0" } };
  await scene.agent.post(`/api/v1/budget_reservations/${second.reservation.id}/settle`, settled);
  expect((await start(second.id, cheap)).status).toBe(201);
  expect(await sums()).toEqual([["0", "2200000"]]);
});

it("an execution uses what was reserved for it before that expired, unless expiry gave it back", async () => {
  for (const [onExpiry, after] of [
    ["charge", ["100000", "0"]],
    ["release", ["0", "100000"]],
  ] as const) {
    scene = await createGatewayScene(world);
    await createPolicy(scene.ctx, ALLOW);
    await createBudget(scene.ctx, { ...DOLLARS, onExpiry });
    const request = refund({ amount: 5 }, { context: { estimate: { usd: "0.1" } } });
    const { body } = await scene.agent.post(CHECK_PATH, { request });
    const expiry = new Date(Date.parse(body.check.reservation.expires_at) + 1);
    await sweepBudgets(world.server.services, expiry);
    const started = await scene.agent.post(EXECUTIONS_PATH, { decision_id: body.check.id, request });
    expect(started.status).toBe(201);
    expect(await sums()).toEqual([after]);
  }
});

it("what a delegate's check reserved for another agent, the delegate settles or gives back, and nobody else", async () => {
  await createBudget(scene.ctx, DOLLARS);
  const { workspaceId } = scene.ctx;
  const agentId = await insertTestAgent(scene.ctx);
  const [subject, stranger] = [agentId, await insertTestAgent(scene.ctx)].map((id) =>
    agentCtx(world.server, { id, workspaceId }),
  );
  const request = { ...refund({ amount: 5 }), subject: { type: "agent", id: agentId } };
  const reserve = async () => (await scene.agent.post(CHECK_PATH, { request })).body.check;
  const [used, unused, left] = [await reserve(), await reserve(), await reserve()];
  for (const other of [subject, stranger]) {
    if (other === undefined) throw new Error("there is no other agent");
    const { id } = used.reservation;
    expect(await getErrorCode(settleReservation(other, { id }))).toBe("not_found");
    expect(await getErrorCode(releaseReservation(other, { id }))).toBe("not_found");
    expect(await getErrorCode(readReservation(other, { id }))).toBe("not_found");
    const own = JSON.stringify(refund({ amount: 5 }));
    await expect.poll(() => scene.ctx.db.decision.count({ where: { id: left.id } })).toBe(1);
    const call = { decisionId: left.id, requestText: own };
    expect(await startExecution(other, call)).toMatchObject({ status: "started" });
  }
  const kept = await scene.ctx.db.reservation.findFirst({ where: { id: left.reservation.id } });
  expect(kept).toMatchObject({ agentId, delegateId: scene.agentId, executionId: null });
  const settled = await scene.agent.post(`/api/v1/budget_reservations/${used.reservation.id}/settle`, {
    amounts: { usd: "0.1" },
  });
  expect(settled.body.reservation).toMatchObject({ status: "settled" });
  const released = await scene.agent.post(`/api/v1/budget_reservations/${unused.reservation.id}/release`, {});
  expect(released.body.reservation).toMatchObject({ status: "released" });
});

it("no check, no way around a budget", async () => {
  await createBudget(scene.ctx, { ...CALLS, limit: "1" });
  expect((await execute({ decision_id: crypto.randomUUID() })).status).toBe(201);
  const refused = await execute({ decision_id: crypto.randomUUID() });
  expectProblem(refused, 409, "budget_exceeded");
  expect(refused.body).toMatchObject({ budget: { name: "calls", limit: "1", used: "1" } });
  expect(await scene.ctx.db.decision.findFirst({ where: { outcome: "deny" } })).toMatchObject({
    reason: "budget_exceeded",
  });
});

it("the use of an approval reserves, once with its Idempotency-Key", async () => {
  await createPolicy(scene.ctx, ASK);
  const id = await approved(900);
  await createBudget(scene.ctx, { ...DOLLARS, limit: "0.5", scope: { type: "workspace" } });
  const call = { amount: 900, key: "refund-900" };
  const first = await execute({ approval_id: id }, call);
  expect(first.status).toBe(201);
  expect(await sums()).toEqual([["0", "500000"]]);
  const again = await execute({ approval_id: id }, call);
  expect(again.body.execution.id).toBe(first.body.execution.id);
  expect(await sums()).toEqual([["0", "500000"]]);
});

it("an approval without room in a budget stays unused, and what can't be executed holds nothing", async () => {
  await createPolicy(scene.ctx, ASK);
  const id = await approved(901);
  const { id: budgetId } = await createBudget(scene.ctx, { ...CALLS, limit: "1" });
  expectProblem(await execute({ approval_id: id }, { amount: 902 }), 409, "arguments_changed");
  expect(await sums()).toEqual([["0", "0"]]);
  await execute({ decision_id: crypto.randomUUID() });
  expectProblem(await execute({ approval_id: id }, { amount: 901 }), 409, "budget_exceeded");
  expect(await scene.ctx.db.approval.findFirst({ where: { id } })).toMatchObject({ usedCount: 0 });
  expect(await readSums(world.server, scene.ctx.workspaceId)).toMatchObject([{ budget_id: budgetId }]);
});

it("a threshold that asks needs a person", async () => {
  const thresholds = [{ percent: 50, action: "ask" as const }];
  await createBudget(scene.ctx, { ...CALLS, limit: "2", thresholds });
  await execute({ decision_id: crypto.randomUUID() });
  expectProblem(await execute({ decision_id: crypto.randomUUID() }), 403, "approval_required");
  expect(await sums()).toEqual([["1", "0"]]);
});

it("a report settles what the execution reserved, also repeated, and not what was settled before", async () => {
  await createBudget(scene.ctx, DOLLARS);
  const { body } = await execute({ decision_id: crypto.randomUUID() });
  const { id, fence } = body.execution;
  const report = { fence, result: "done", amounts: { usd: "0.25" } };
  for (let call = 0; call < 2; call++) {
    const { status } = await scene.agent.post(`${EXECUTIONS_PATH}/${id}/complete`, report);
    expect(status).toBe(200);
    expect(await sums()).toEqual([["250000", "0"]]);
  }
  const checked = await check(5);
  const other = (await execute({ decision_id: checked.id })).body.execution;
  const settle = `/api/v1/budget_reservations/${checked.reservation.id}/settle`;
  await scene.agent.post(settle, { amounts: { usd: "0.05" } });
  const failure = {
    fence: other.fence,
    error: { message: "no" },
    effect: "partial",
    amounts: { usd: "0.40" },
  };
  expect((await scene.agent.post(`${EXECUTIONS_PATH}/${other.id}/fail`, failure)).status).toBe(200);
  expect(await sums()).toEqual([["300000", "0"]]);
});
