import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { listBudgetWindows } from "../../../src/domain/budgets/list-budget-windows.ts";
import { listReservations } from "../../../src/domain/budgets/list-reservations.ts";
import { releaseAssumed } from "../../../src/domain/budgets/release-assumed.ts";
import { releaseReservation } from "../../../src/domain/budgets/release-reservation.ts";
import { reserveBudget } from "../../../src/domain/budgets/reserve-budget.ts";
import { runBudgetOperation } from "../../../src/domain/budgets/run-budget-operation.ts";
import { settleReservation } from "../../../src/domain/budgets/settle-reservation.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import {
  type BudgetScene,
  CALLS,
  DOLLARS,
  callAs,
  createBudgetScene,
  findWrongSums,
} from "../../support/budget-scene.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let server: QuietServices;
let scene: BudgetScene;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createBudgetScene(server);
});

async function reserve(usd: string, caller: Ctx = scene.agent): Promise<string> {
  return (await reserveBudget(caller, { amounts: { usd } })).reservation.id;
}

/** Ends what has expired, as the sweep does. */
async function expire(id: string): Promise<void> {
  const now = new Date(Date.now() + 601_000);
  await runBudgetOperation(callAs(scene.ctx, { now }), { kind: "expire", id, callerId: null });
}

async function listIds(filter: Parameters<typeof listReservations>[2]): Promise<string[]> {
  const viewer = userCtx(server, scene.workspaceId, "viewer");
  return (await listReservations(viewer, { first: 20 }, filter)).nodes.map(({ id }) => id);
}

/** The sums of one budget, without times. */
async function readWindow(budgetId: string) {
  const viewer = userCtx(server, scene.workspaceId, "viewer");
  const sums = await listBudgetWindows(viewer, [budgetId], {});
  return sums.get(budgetId)?.map(({ used, reserved, assumed }) => ({ used, reserved, assumed }));
}

describe("listReservations", () => {
  it("lists those of a budget that hold something, or for which something was assumed", async () => {
    const { id: dollars } = await createBudget(scene.ctx, DOLLARS);
    const other = await scene.another({ team: "finance" });
    const { id: finance } = await createBudget(scene.ctx, {
      ...{ ...DOLLARS, name: "finance", scope: { type: "label", label: "team", value: "finance" } },
    });
    const [held, released] = [await reserve("1"), await reserve("1")];
    const [settled, assumed] = [await reserve("1", other), await reserve("1")];
    await releaseReservation(scene.agent, { id: released });
    await settleReservation(other, { id: settled });
    await expire(assumed);
    expect(await listIds({ budgetId: dollars })).toEqual([assumed, held]);
    expect(await listIds({ budgetId: dollars, status: "held" })).toEqual([held]);
    expect(await listIds({ budgetId: finance })).toEqual([]);
    const theirs = await reserve("0.5", other);
    expect(await listIds({ budgetId: finance })).toEqual([theirs]);
    expect(await listIds({ budgetId: finance, agentId: scene.agentId })).toEqual([]);
  });

  it("says how much each reserved of each budget", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, CALLS);
    await reserve("1.25");
    const { nodes } = await listReservations(scene.ctx, { first: 20 });
    expect(nodes[0]?.budgets.map(({ name, amount }) => [name, amount])).toEqual([
      ["dollars", 1_250_000n],
      ["calls", 1n],
    ]);
  });

  it("is for those who read the gateway", async () => {
    const { agentId: id, workspaceId } = scene;
    const other = agentCtx(server, { id, workspaceId }, { scopes: ["gateway:check"] });
    expect(await getErrorCode(listReservations(other, { first: 1 }))).toBe("insufficient_scope");
  });
});

describe("listBudgetWindows", () => {
  it("lists the fullest sums first if asked, or goes on after a subject", async () => {
    const { id } = await createBudget(scene.ctx, { ...DOLLARS, scope: { type: "each_agent" } });
    const others = [await scene.another(), await scene.another()] as const;
    await reserve("1");
    await reserve("3", others[0]);
    await reserve("2", others[1]);
    const list = async (page: Parameters<typeof listBudgetWindows>[2]) =>
      (await listBudgetWindows(scene.ctx, [id], page)).get(id)?.map(({ subject }) => subject);
    const fullest = [others[0].agentId, others[1].agentId, scene.agentId];
    expect(await list({ order: "fullest" })).toEqual(fullest);
    expect(await list({ order: "fullest", first: 2 })).toEqual(fullest.slice(0, 2));
    const bySubject = fullest.toSorted();
    expect(await list({ after: bySubject[0] ?? "" })).toEqual(bySubject.slice(1));
    expect(await getErrorCode(list({ order: "fullest", after: "x" }))).toBe("validation_failed");
  });

  it("says how much of what is used was assumed, until it is known or given back", async () => {
    const { id } = await createBudget(scene.ctx, DOLLARS);
    const [first, second, third] = [await reserve("2"), await reserve("3"), await reserve("1")];
    await expire(first);
    await expire(second);
    expect(await readWindow(id)).toEqual([{ used: 5_000_000n, reserved: 1_000_000n, assumed: 5_000_000n }]);
    await settleReservation(scene.agent, { id: first, amounts: { usd: "0.5" } });
    expect(await readWindow(id)).toEqual([{ used: 3_500_000n, reserved: 1_000_000n, assumed: 3_000_000n }]);
    await releaseAssumed(userCtx(server, scene.workspaceId, "operator"), { id: second });
    expect(await readWindow(id)).toEqual([{ used: 500_000n, reserved: 1_000_000n, assumed: 0n }]);
    await settleReservation(scene.agent, { id: third, amounts: { usd: "1" } });
    expect(await readWindow(id)).toEqual([{ used: 1_500_000n, reserved: 0n, assumed: 0n }]);
    expect(await findWrongSums(server, scene.workspaceId)).toEqual([]);
  });
});
