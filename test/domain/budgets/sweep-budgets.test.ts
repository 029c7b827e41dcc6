import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { createBudgetCleanups } from "../../../src/domain/budgets/budget-cleanups.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { reserveBudget } from "../../../src/domain/budgets/reserve-budget.ts";
import { settleReservation } from "../../../src/domain/budgets/settle-reservation.ts";
import { sweepBudgets } from "../../../src/domain/budgets/sweep-budgets.ts";
import { cleanUp } from "../../../src/domain/sweeps/clean-up.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import {
  type BudgetScene,
  CALLS,
  DOLLARS,
  callAs,
  createBudgetScene,
  findWrongSums,
  readSums,
} from "../../support/budget-scene.ts";
import { lastAudit } from "../../support/person-ctx.ts";
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

async function readStates(): Promise<Record<string, string>> {
  const agents = await scene.ctx.db.agent.findMany({ select: { id: true, controlState: true } });
  return Object.fromEntries(agents.map(({ id, controlState }) => [id, controlState]));
}

describe("sweepBudgets", () => {
  it("ends what was not settled in time, however much there is", async () => {
    await createBudget(scene.ctx, { ...DOLLARS, limit: "1000", period: "total" });
    const reserve = () => reserveBudget(scene.agent, { amounts: { usd: "1" }, expiresInSeconds: 10 });
    await Promise.all(Array.from({ length: 250 }, reserve));
    await reserveBudget(scene.agent, { amounts: { usd: "5" }, expiresInSeconds: 1000 });
    expect(await sweepBudgets(server.services, new Date(Date.now() + 60_000))).toBe(250);
    expect(await readSums(server, scene.workspaceId)).toMatchObject([
      { used: "250000000", reserved: "5000000" },
    ]);
    expect(await findWrongSums(server, scene.workspaceId)).toEqual([]);
    const rows = await server.database.query(
      "SELECT status, assumed, count(*)::int FROM reservation WHERE workspace_id = $1 GROUP BY 1, 2 ORDER BY 3",
      [scene.workspaceId],
    );
    expect(rows).toEqual([
      { status: "held", assumed: false, count: 1 },
      { status: "expired", assumed: true, count: 250 },
    ]);
  });

  it("pauses the agents that a sum is for, once", async () => {
    const thresholds = [{ percent: 50, action: "pause" } as const];
    const finance = await scene.another({ team: "finance" });
    const colleague = await scene.another({ team: "finance" });
    await createBudget(scene.ctx, {
      ...{ ...CALLS, limit: "2", thresholds },
      scope: { type: "each_label", label: "team" },
    });
    await reserveBudget(finance, {});
    await sweepBudgets(server.services);
    expect(await readStates()).toMatchObject({
      [scene.agentId]: "active",
      [finance.agentId]: "paused",
      [colleague.agentId]: "paused",
    });
    expect(await lastAudit(server, scene.workspaceId)).toMatchObject({
      action: "agent.control_state_changed",
      changes: { reason: 'The budget "calls" has reached 50 % of its limit.' },
    });
    await setAgentControlState(scene.ctx, { id: finance.agentId, controlState: "active" });
    await reserveBudget(finance, {});
    await sweepBudgets(server.services);
    expect((await readStates())[finance.agentId]).toBe("active");
  });

  it.each([
    // With the workspace's first agent.
    ["workspace", 4],
    ["each_agent", 1],
    ["agent", 1],
  ] as const)("pauses agents of the scope %s", async (type, count) => {
    await scene.another();
    await scene.another();
    const thresholds = [{ percent: 1, action: "pause" } as const];
    const scope = { type, ...(type === "agent" && { agentId: scene.agentId }) };
    await createBudget(scene.ctx, { ...CALLS, thresholds, scope });
    await reserveBudget(scene.agent, {});
    expect(await sweepBudgets(server.services)).toBe(count);
    const states = await readStates();
    expect(Object.values(states).filter((state) => state === "paused")).toHaveLength(count);
    expect(states[scene.agentId]).toBe("paused");
  });
});

describe("the retention of budgets", () => {
  it("deletes sums and reservations when they are old enough, and no others", async () => {
    await updateWorkspace(scene.ctx, { budgetRetentionDays: 5 });
    await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, { ...CALLS, period: "total" });
    const at = (day: number) => new Date(Date.UTC(2026, 10, day, 12));
    for (const day of [1, 3]) {
      const caller = callAs(scene.agent, { now: at(day) });
      const { reservation } = await reserveBudget(caller, {});
      await settleReservation(caller, { id: reservation.id });
    }
    await reserveBudget(callAs(scene.agent, { now: at(1) }), {});
    const clean = (now: Date) => cleanUp(server.services, createBudgetCleanups(server.services, now));
    expect((await clean(at(6))).deleted).toEqual({ reservation: 1 });
    expect((await clean(at(7))).deleted).toEqual({ budget_window: 1 });
    expect((await clean(at(7))).deleted).toEqual({});
    const sums = await readSums(server, scene.workspaceId);
    expect(sums.map(({ used }) => used)).toEqual(["500000", "3"]);
    const statuses = await scene.ctx.db.reservation.findMany({ select: { status: true } });
    expect(statuses.map(({ status }) => status).toSorted((one, other) => (one < other ? -1 : 1))).toEqual([
      "held",
      "settled",
    ]);
  });
});
