import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { deleteBudget } from "../../../src/domain/budgets/delete-budget.ts";
import { listBudgetWindows } from "../../../src/domain/budgets/list-budget-windows.ts";
import { releaseReservation } from "../../../src/domain/budgets/release-reservation.ts";
import { reserveBudget } from "../../../src/domain/budgets/reserve-budget.ts";
import { runBudgetOperation } from "../../../src/domain/budgets/run-budget-operation.ts";
import { settleReservation } from "../../../src/domain/budgets/settle-reservation.ts";
import { sweepBudgets } from "../../../src/domain/budgets/sweep-budgets.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import {
  type BudgetScene,
  CALLS,
  DOLLARS,
  type NewBudget,
  callAs,
  createBudgetScene,
  findWrongSums,
  readSums,
} from "../../support/budget-scene.ts";
import { getErrorCode } from "../../support/callers.ts";
import { chargeLoggedCall } from "../../support/logged-call.ts";
import { newSpanId, newTraceId, textAttribute } from "../../support/otlp.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { createCallSpan, sendSpans } from "../../support/trace-scene.ts";

const TOKENS: NewBudget = {
  ...{ name: "tokens", scope: { type: "each_agent" }, unit: "tokens", limit: "1000", period: "total" },
  defaultEstimate: "10",
};

let server: QuietServices;
let scene: BudgetScene;
const SPAN = { traceId: newTraceId(), spanId: newSpanId() };

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createBudgetScene(server);
});

type Said = { cost?: number; input?: number; reservation?: string; span?: typeof SPAN };

/** Sends a call's span, and lets budgets count what is charged. */
async function report({ span, reservation, ...said }: Said, agent: Ctx = scene.agent): Promise<void> {
  const attributes = reservation === undefined ? [] : [textAttribute("aos.reservation.id", reservation)];
  await sendSpans(agent, [createCallSpan({ ...said, attributes }, span)]);
  await sweepBudgets(server.services);
  expect(await findWrongSums(server, scene.workspaceId)).toEqual([]);
}

async function reserve(usd = "2", agent: Ctx = scene.agent): Promise<string> {
  return (await reserveBudget(agent, { amounts: { usd, tokens: "50" } })).reservation.id;
}

/** Used, reserved and reported, as text. */
async function sums(): Promise<string[][]> {
  const rows = await readSums(server, scene.workspaceId);
  return rows.map(({ used, reserved, reported }) => [used, reserved, reported]);
}

describe("what telemetry charges", () => {
  it("is used of all budgets of dollars and tokens that apply to the agent", async () => {
    const { id } = await createBudget(scene.ctx, DOLLARS);
    const other = await scene.another();
    await createBudget(scene.ctx, { ...TOKENS, scope: { type: "agent", agentId: other.agentId } });
    await createBudget(scene.ctx, { ...DOLLARS, name: "disabled", enabled: false });
    await createBudget(scene.ctx, CALLS);
    await report({ cost: 1.5, input: 10 });
    expect(await sums()).toEqual([["1500000", "0", "1500000"]]);
    await report({ cost: 1, input: 10 }, other);
    expect(await sums()).toEqual([
      ["2500000", "0", "2500000"],
      ["10", "0", "10"],
    ]);
    const [sum] = (await listBudgetWindows(scene.ctx, [id], {})).get(id) ?? [];
    expect(sum).toMatchObject({ used: 2_500_000n, reported: 2_500_000n });
  });

  it("is counted once, by the call in whole millionths of a dollar", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await report({ cost: 0.000_000_1, span: SPAN });
    await report({ cost: 0.000_000_1, span: SPAN });
    await report({ cost: 0.000_000_1 });
    expect(await sums()).toEqual([["2", "0", "2"]]);
    await report({ cost: 0.000_001_3, span: SPAN });
    expect(await sums()).toEqual([["3", "0", "3"]]);
  });

  it("is taken back when a better signal says the same calls", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, TOKENS);
    const conversation = [textAttribute("gen_ai.conversation.id", "one")];
    await sendSpans(scene.agent, [createCallSpan({ cost: 3, input: 30, attributes: conversation })]);
    await sweepBudgets(server.services);
    await chargeLoggedCall(scene.agent, { senderId: scene.agentId, sessionKey: "one" });
    await sweepBudgets(server.services);
    expect(await sums()).toEqual([
      ["500000", "0", "500000"],
      ["10", "0", "10"],
    ]);
  });

  it("adds tokens but no money where nobody knows the price", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, TOKENS);
    await report({ input: 7 });
    expect(await sums()).toEqual([["7", "0", "7"]]);
    await report({ input: 7, reservation: await reserve() });
    // What is not known to cost less counts as it was reserved.
    expect(await sums()).toEqual([
      ["2000000", "0", "0"],
      ["14", "0", "7"],
    ]);
  });

  it("counts in the period in which the call first came", async () => {
    await createBudget(scene.ctx, DOLLARS);
    const days = ["2030-01-01", "2030-01-02"].map((day) => new Date(`${day}T00:00:00Z`));
    await report({ cost: 1, span: SPAN }, callAs(scene.agent, { now: new Date("2030-01-01T23:59:59Z") }));
    await report({ cost: 3, span: SPAN }, callAs(scene.agent, { now: new Date("2030-01-02T00:00:01Z") }));
    await report({ cost: 1 }, callAs(scene.agent, { now: new Date("2030-01-02T00:00:01Z") }));
    expect(await readSums(server, scene.workspaceId)).toMatchObject([
      { window_start: days[0], used: "3000000" },
      { window_start: days[1], used: "1000000" },
    ]);
  });

  it("does not count in budgets that came later", async () => {
    await createBudget(scene.ctx, TOKENS);
    await report({ cost: 1, input: 1, span: SPAN });
    await createBudget(scene.ctx, DOLLARS);
    await report({ cost: 3, input: 2, span: SPAN });
    expect(await sums()).toEqual([["2", "0", "2"]]);
  });

  it("is not kept for workspaces without budgets, nor for deleted ones", async () => {
    const countKept = async () => (await server.database.query("SELECT 1 FROM budget_charge")).length;
    const call = createCallSpan({ cost: 1 });
    await sendSpans(scene.agent, [call]);
    expect(await countKept()).toBe(0);
    const { id } = await createBudget(scene.ctx, DOLLARS);
    await sendSpans(scene.agent, [createCallSpan({ cost: 1 })]);
    expect(await countKept()).toBe(1);
    await deleteBudget(scene.ctx, { id });
    await sweepBudgets(server.services);
    expect(await countKept()).toBe(0);
  });

  it("reaches thresholds and passes the limit, and then nothing is admitted", async () => {
    const thresholds = [{ percent: 80, action: "pause" } as const];
    const { id } = await createBudget(scene.ctx, { ...DOLLARS, thresholds });
    await report({ cost: 8 });
    expect(await readEventTypes(server, id)).toEqual(["budget.created", "budget.threshold"]);
    const paused = await scene.ctx.db.agent.findFirst({ where: { id: scene.agentId } });
    expect(paused?.controlState).toBe("paused");
    await report({ cost: 8 });
    expect(await readEventTypes(server, id)).toEqual([
      ...["budget.created", "budget.threshold", "budget.overrun"],
    ]);
    expect(await getErrorCode(reserve("0", await scene.another()))).toBe("budget_exceeded");
  });
});

describe("what telemetry charges for a reservation", () => {
  beforeEach(async () => {
    await createBudget(scene.ctx, DOLLARS);
  });

  it("settles it, and adds up", async () => {
    const reservation = await reserve();
    await report({ cost: 0.5, reservation });
    expect(await sums()).toEqual([["500000", "0", "0"]]);
    await report({ cost: 0.25, reservation, span: SPAN });
    await report({ cost: 0.3, reservation, span: SPAN });
    expect(await sums()).toEqual([["800000", "0", "0"]]);
    const where = { workspaceId_id: { workspaceId: scene.workspaceId, id: reservation } };
    expect(await scene.ctx.db.reservation.findUnique({ where })).toMatchObject({ status: "settled" });
  });

  it("settles it by nothing", async () => {
    await report({ cost: 0, input: 0, reservation: await reserve() });
    expect(await sums()).toEqual([["0", "0", "0"]]);
  });

  it("does not count if its agent says what was used, before or after", async () => {
    const before = await reserve();
    await settleReservation(scene.agent, { id: before, amounts: { usd: "0.75" } });
    await report({ cost: 9, reservation: before });
    expect(await sums()).toEqual([["750000", "0", "0"]]);
    const after = await reserve();
    await report({ cost: 9, reservation: after });
    await settleReservation(scene.agent, { id: after, amounts: { usd: "0.25" } });
    expect(await sums()).toEqual([["1000000", "0", "0"]]);
    await report({ cost: 9, reservation: after });
    expect(await sums()).toEqual([["1000000", "0", "0"]]);
    const amounts = { usd: "0.5" };
    expect(await getErrorCode(settleReservation(scene.agent, { id: after, amounts }))).toBe("invalid_state");
  });

  it("stands where its agent does not say how much, before or after", async () => {
    const [before, after] = [await reserve(), await reserve()];
    await settleReservation(scene.agent, { id: before });
    await report({ cost: 0.5, reservation: before });
    await report({ cost: 0.25, reservation: after });
    const settled = await settleReservation(scene.agent, { id: after });
    expect(settled).toMatchObject({ status: "settled", reported: { usd: 250_000n } });
    expect(await sums()).toEqual([["750000", "0", "0"]]);
  });

  it("corrects what was assumed", async () => {
    const reservation = await reserve();
    const now = new Date(Date.now() + 601_000);
    await runBudgetOperation(callAs(scene.ctx, { now }), { kind: "expire", id: reservation, callerId: null });
    expect(await sums()).toEqual([["2000000", "0", "0"]]);
    await report({ cost: 0.5, reservation });
    expect(await sums()).toEqual([["500000", "0", "0"]]);
  });

  it("counts without it if it was given back, is another agent's, or a delegate's", async () => {
    const other = await scene.another();
    const [released, foreign] = [await reserve(), await reserve("2", other)];
    await releaseReservation(scene.agent, { id: released });
    const delegated = await reserve();
    await server.database.query("UPDATE reservation SET delegate_id = $1 WHERE id = $2", [
      other.agentId,
      delegated,
    ]);
    const elsewhere = await createBudgetScene(server);
    await createBudget(elsewhere.ctx, DOLLARS);
    const outside = await reserve("2", elsewhere.agent);
    for (const reservation of [released, foreign, delegated, outside])
      await report({ cost: 0.5, reservation });
    expect(await sums()).toEqual([["2000000", "4000000", "2000000"]]);
    expect(await readSums(server, elsewhere.workspaceId)).toMatchObject([{ used: "0", reserved: "2000000" }]);
  });
});
