import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { updateBudget } from "../../../src/domain/budgets/update-budget.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { approve } from "../../support/approve.ts";
import { CALLS, DOLLARS, readSums } from "../../support/budget-scene.ts";
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

const HANG = { timeout: 20_000 };

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

async function check(amount: number, context: object = {}, options: object = {}) {
  const request = refund({ amount }, { context });
  const { status, body } = await scene.agent.post(CHECK_PATH, { request, options });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.check;
}

async function sums(): Promise<string[][]> {
  return (await readSums(world.server, scene.ctx.workspaceId)).map(({ used, reserved }) => [used, reserved]);
}

it("a check that is allowed reserves what it says, or the estimate", async () => {
  await createBudget(scene.ctx, DOLLARS);
  expect(await check(5, { estimate: { usd: "0.02", tokens: 12 } })).toMatchObject({
    status: "allowed",
    reservation: { status: "held", budgets: [{ name: "dollars", used: "0", reserved: "0.02" }] },
  });
  expect(await check(5)).toMatchObject({ reservation: { budgets: [{ reserved: "0.52" }] } });
});

it("a check is denied where a budget has no room", async () => {
  const { id } = await createBudget(scene.ctx, { ...CALLS, limit: "1" });
  await check(5);
  const denied = await check(5);
  expect(denied).toMatchObject({
    ...{ status: "denied", reason: "budget_exceeded" },
    budget: { id, name: "calls", unit: "calls", limit: "1", used: "1", reserved: "0" },
  });
  expect(denied).not.toHaveProperty("reservation");
  const stored = await world.server.database.query("SELECT outcome, reason FROM decision WHERE id = $1", [
    denied.id,
  ]);
  expect(stored).toEqual([{ outcome: "deny", reason: "budget_exceeded" }]);
});

it("says which budget had no room, as it was when it denied a check", async () => {
  const { id } = await createBudget(scene.ctx, { ...CALLS, limit: "1" });
  await check(5);
  const denied = await check(5);
  await updateBudget(scene.ctx, { id, limit: "9", name: "renamed" });
  const reader = await scene.agentWith("gateway:read");
  const { body } = await reader.get(`/api/v1/operator/decisions/${denied.id}/explain`);
  expect(body.explanation).toMatchObject({
    ...{ outcome: "deny", reason: "budget_exceeded" },
    steps: [
      { step: "stop", decided: false, budget: null },
      { step: "policies", decided: false, considered: 1, budget: null },
      {
        ...{ step: "budgets", decided: true, policies: null },
        budget: { id, name: "calls", unit: "calls", limit: "1", used: "1", reserved: "0" },
      },
    ],
  });
});

it("a check for which no budget is has no reservation", async () => {
  await createBudget(scene.ctx, { ...CALLS, scope: { type: "each_label", label: "team" } });
  expect(await check(5)).not.toHaveProperty("reservation");
  expect(await sums()).toEqual([]);
});

it("a check about which people are asked, or that policies deny, uses nothing of a budget", async () => {
  await createBudget(scene.ctx, CALLS);
  await createBudget(scene.ctx, DOLLARS);
  await createPolicy(scene.ctx, ASK);
  await createPolicy(scene.ctx, { ...ALLOW, name: "no", effect: "deny", when: "args.amount == 7" });
  expect(await check(900)).toMatchObject({ status: "pending", reason: "approval_required" });
  expect(await check(900, {}, { auto_request: false })).toMatchObject({ status: "denied" });
  expect(await check(7)).toMatchObject({ status: "denied", reason: "policy_deny" });
  expect(await sums()).toEqual([]);
});

it("a threshold that asks makes a permission a question to people", async () => {
  await createBudget(scene.ctx, { ...CALLS, thresholds: [{ percent: 1, action: "ask" }] });
  expect(await check(5)).toMatchObject({ status: "allowed" });
  expect(await check(5)).toMatchObject({
    ...{ status: "pending", reason: "approval_required", approval: { status: "pending" } },
  });
  expect(await sums()).toEqual([["1", "0"]]);
});

it("what people approve for a budget is for that estimate", async () => {
  await createBudget(scene.ctx, { ...DOLLARS, limit: "1000", thresholds: [{ percent: 1, action: "ask" }] });
  await check(5, { estimate: { usd: "10" } });
  const { approval } = await check(6, { estimate: { usd: "0.01" } });
  await approve(world.server, scene.ctx.workspaceId, approval.id);
  const dear = await check(6, { estimate: { usd: "900" } });
  expect(dear).toMatchObject({ status: "pending", reason: "approval_required" });
  expect(dear.approval.id).not.toBe(approval.id);
  expect(await check(6, { estimate: { usd: "0.01" } })).toMatchObject({ status: "allowed" });
});

it("what an agent asks for somebody who is no agent uses its own budgets", async () => {
  const { ctx, agent, agentId } = scene;
  await createBudget(ctx, { ...CALLS, scope: { type: "agent", agentId }, limit: "1" });
  const request = { ...refund({ amount: 5 }), subject: { type: "user", id: "ada" } };
  const ask = async () => (await agent.post(CHECK_PATH, { request })).body.check;
  expect(await ask()).toMatchObject({ status: "allowed", reservation: { status: "held" } });
  expect(await ask()).toMatchObject({ status: "denied", reason: "budget_exceeded" });
});

it("people are asked although a budget is full, and their approval stays unused until it has room", async () => {
  const { id: budgetId, generation } = await createBudget(scene.ctx, { ...CALLS, limit: "1" });
  await createPolicy(scene.ctx, ASK);
  await check(5);
  const { status, approval } = await check(900);
  expect([status, approval?.status]).toEqual(["pending", "pending"]);
  await approve(world.server, scene.ctx.workspaceId, approval.id);
  expect(await check(900)).toMatchObject({ status: "denied", reason: "budget_exceeded" });
  await updateBudget(scene.ctx, { id: budgetId, ifGeneration: generation, limit: "2" });
  expect(await check(900)).toMatchObject({ status: "allowed", approval: { id: approval.id } });
  expect(await sums()).toEqual([["2", "0"]]);
});

it("an estimate that is none is rejected", async () => {
  await createBudget(scene.ctx, DOLLARS);
  for (const estimate of [{ usd: "-1" }, { usd: 5 }, { tokens: 1.5 }, { euro: "1" }, "1", { usd: "1e9" }]) {
    const request = refund({ amount: 5 }, { context: { estimate } });
    expectProblem(await scene.agent.post(CHECK_PATH, { request }), 422, "validation_failed");
  }
  expect(await sums()).toEqual([]);
});

it("a repeated check has the reservation of the first, with its decision", async () => {
  await createBudget(scene.ctx, { ...CALLS, limit: "1" });
  const request = refund({ amount: 5 });
  const repeat = async () => {
    const { body } = await scene.agent.post(CHECK_PATH, { request }, { "idempotency-key": "one" });
    return body.check;
  };
  const first = await repeat();
  expect(first).toMatchObject({ status: "allowed", reservation: { decision_id: first.id } });
  const again = await repeat();
  expect(again).toMatchObject({ status: "allowed", reservation: { id: first.reservation.id } });
  expect(await sums()).toEqual([["1", "0"]]);
  expect(await check(5)).toMatchObject({ status: "denied", reason: "budget_exceeded" });
});

it("a repeated check reserves anew what was given back", async () => {
  await createBudget(scene.ctx, DOLLARS);
  const repeat = async () => {
    const asked = { request: refund({ amount: 5 }) };
    const { body } = await scene.agent.post(CHECK_PATH, asked, { "idempotency-key": "one" });
    return body.check;
  };
  const { reservation } = await repeat();
  await scene.agent.post(`/api/v1/budget_reservations/${reservation.id}/release`);
  const again = await repeat();
  expect(again.reservation).toMatchObject({ status: "held" });
  expect(again.reservation.id).not.toBe(reservation.id);
  expect(await sums()).toEqual([["0", "500000"]]);
});

it("a denial of a repeated check leaves the reservation of the first", async () => {
  await createBudget(scene.ctx, DOLLARS);
  const asked = { request: refund({ amount: 5 }) };
  const headers = { "idempotency-key": "one" };
  expect((await scene.agent.post(CHECK_PATH, asked, headers)).body.check.status).toBe("allowed");
  await createPolicy(scene.ctx, { name: "never", effect: "deny", actions: ["tools/call"] });
  expect((await scene.agent.post(CHECK_PATH, asked, headers)).body.check.status).toBe("denied");
  expect(await sums()).toEqual([["0", "500000"]]);
});

it("what people approved reserves for its decision and execution", async () => {
  await createBudget(scene.ctx, DOLLARS);
  await createPolicy(scene.ctx, ASK);
  const { approval } = await check(900);
  expect(await sums()).toEqual([]);
  await approve(world.server, scene.ctx.workspaceId, approval.id);
  const { id, execution, reservation } = await check(900);
  expect(reservation).toMatchObject({ status: "held", decision_id: id });
  const [row] = await world.server.database.query(
    "SELECT decision_id, execution_id FROM reservation WHERE id = $1",
    [reservation.id],
  );
  expect(row).toEqual({ decision_id: id, execution_id: execution.id });
});

it.each([
  ["policies", DOLLARS, ASK],
  ["a threshold", { ...DOLLARS, thresholds: [{ percent: 50, action: "ask" as const }] }, ALLOW],
])(
  "a repeated check that people approved has the reservation of the first, asked by %s",
  async (...given) => {
    const [, budget, policy] = given;
    await createBudget(scene.ctx, { ...budget, limit: "1" });
    await createPolicy(scene.ctx, { ...policy, name: "asking" });
    await check(5);
    await approve(world.server, scene.ctx.workspaceId, (await check(900)).approval.id);
    const repeat = async () => {
      const asked = { request: refund({ amount: 900 }) };
      const { body } = await scene.agent.post(CHECK_PATH, asked, { "idempotency-key": "one" });
      return body.check;
    };
    const first = await repeat();
    const again = await repeat();
    expect(again).toMatchObject({
      ...{ id: first.id, status: "allowed", execution: { id: first.execution.id } },
      reservation: { id: first.reservation.id, status: "held" },
    });
    expect(await sums()).toEqual([["0", "1000000"]]);
  },
);

it("nothing is held while people think", async () => {
  await createBudget(scene.ctx, { ...DOLLARS, limit: "0.5" });
  await createPolicy(scene.ctx, ASK);
  const held = check(900, {}, { wait: 25 });
  const id = await vi.waitFor(async () => {
    const approval = await scene.ctx.db.approval.findFirstOrThrow({ where: { status: "pending" } });
    return approval.id;
  }, HANG);
  expect(await sums()).toEqual([]);
  const { reservation } = await check(5);
  expect(reservation).toMatchObject({ status: "held" });
  await approve(world.server, scene.ctx.workspaceId, id);
  expect(await held).toMatchObject({ status: "denied", reason: "budget_exceeded" });
  await scene.agent.post(`/api/v1/budget_reservations/${reservation.id}/release`);
  expect(await check(900)).toMatchObject({ status: "allowed", reservation: { status: "held" } });
});
