import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setAgentControlState } from "../../../src/domain/agents/set-agent-control-state.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { deleteBudget } from "../../../src/domain/budgets/delete-budget.ts";
import { readReservation } from "../../../src/domain/budgets/read-reservation.ts";
import { releaseReservation } from "../../../src/domain/budgets/release-reservation.ts";
import { reserveBudget } from "../../../src/domain/budgets/reserve-budget.ts";
import { settleReservation } from "../../../src/domain/budgets/settle-reservation.ts";
import { updateBudget } from "../../../src/domain/budgets/update-budget.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import {
  type BudgetScene,
  CALLS,
  DOLLARS,
  callAs,
  createBudgetScene,
  findWrongSums,
  readSums,
} from "../../support/budget-scene.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
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

const reserve = (amounts: { usd?: string; tokens?: string } = {}, caller = scene.agent) =>
  reserveBudget(caller, { amounts });
const settle = (id: string, amounts: { usd?: string; tokens?: string } = {}) =>
  settleReservation(scene.agent, { id, amounts });

/** Used and reserved, as text. */
async function sums(): Promise<string[][]> {
  return (await readSums(server, scene.workspaceId)).map(({ used, reserved }) => [used, reserved]);
}

describe("reserveBudget", () => {
  it("reserves of every budget that applies, with what is said or estimated, and counts calls at once", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, CALLS);
    const tokens = {
      ...DOLLARS,
      name: "tokens",
      unit: "tokens",
      limit: "1000",
      defaultEstimate: "70",
    } as const;
    await createBudget(scene.ctx, { ...tokens, scope: { type: "each_agent" } });
    const { reservation, asks } = await reserve({ usd: "0.25" });
    expect(asks).toBe(false);
    expect(reservation).toMatchObject({ status: "held", assumed: false, agentId: scene.agentId });
    expect(reservation.budgets).toMatchObject([
      { name: "dollars", unit: "usd", subject: "", limit: 10_000_000n, used: 0n, reserved: 250_000n },
      { name: "calls", unit: "calls", limit: 100n, used: 1n, reserved: 0n, windowEndsAt: null },
      { name: "tokens", subject: scene.agentId, limit: 1000n, used: 0n, reserved: 70n },
    ]);
    expect(await readReservation(scene.agent, { id: reservation.id })).toMatchObject({
      id: reservation.id,
      budgets: expect.arrayContaining([expect.objectContaining({ name: "tokens", reserved: 70n })]),
    });
    expect(await findWrongSums(server, scene.workspaceId)).toEqual([]);
  });

  it("reserves nothing of any budget if one has no room, and says which and when", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, { ...DOLLARS, name: "per minute", limit: "1", period: "minute" });
    const now = new Date("2026-11-23T10:00:20.500Z");
    const caller = callAs(scene.agent, { now });
    const { reservation } = await reserve({ usd: "0.75" }, caller);
    await settleReservation(caller, { id: reservation.id, amounts: { usd: "0.5" } });
    await reserve({ usd: "0.25" }, caller);
    expect(await getErrorDetails(reserve({ usd: "0.300001" }, caller))).toMatchObject({
      budget: { name: "per minute", unit: "usd", limit: "1", used: "0.5", reserved: "0.25" },
      retryAfterSeconds: 40,
    });
    expect(await sums()).toEqual([
      ["500000", "250000"],
      ["500000", "250000"],
    ]);
    await reserve({ usd: "0.25" }, caller);
  });

  it("does not say when to try again where waiting does not help", async () => {
    await createBudget(scene.ctx, DOLLARS);
    const details = { retryAfterSeconds: null };
    expect(await getErrorDetails(reserve({ usd: "10.000001" }))).toMatchObject(details);
    await createBudget(scene.ctx, { ...CALLS, limit: "1" });
    await reserve();
    expect(await getErrorDetails(reserve())).toMatchObject({ ...details, budget: { name: "calls" } });
  });

  it("starts anew in the next period, and settles in the one that admitted it", async () => {
    await createBudget(scene.ctx, { ...DOLLARS, limit: "1" });
    const at = (time: string) => callAs(scene.agent, { now: new Date(time) });
    const { reservation } = await reserve({ usd: "1" }, at("2026-11-23T23:59:59.999Z"));
    expect(await getErrorCode(reserve({ usd: "1" }, at("2026-11-23T23:59:59.999Z")))).toBe("budget_exceeded");
    await reserve({ usd: "1" }, at("2026-11-24T00:00:00.000Z"));
    await settle(reservation.id, { usd: "0.4" });
    expect(await sums()).toEqual([
      ["400000", "0"],
      ["0", "1000000"],
    ]);
  });

  it("counts for each agent, for one agent, and by labels", async () => {
    const team = await scene.another({ team: "finance" });
    const budgets = {
      each: { type: "each_agent" },
      one: { type: "agent", agentId: team.agentId },
      teams: { type: "each_label", label: "team" },
      finance: { type: "label", label: "team", value: "finance" },
      sales: { type: "label", label: "team", value: "sales" },
    } as const;
    for (const [name, scope] of Object.entries(budgets)) {
      await createBudget(scene.ctx, { ...CALLS, name, scope });
    }
    const names = async (caller: typeof team | BudgetScene["agent"]) =>
      (await reserve({}, caller)).reservation.budgets.map(({ name, subject }) => [name, subject]);
    expect(await names(scene.agent)).toEqual([["each", scene.agentId]]);
    expect(await names(team)).toEqual([
      ["each", team.agentId],
      ["one", ""],
      ["teams", "finance"],
      ["finance", ""],
    ]);
    await scene.ctx.db.agent.updateMany({
      where: { id: scene.agentId },
      data: { labels: { constructor: "x" } },
    });
    expect(await names(scene.agent)).toEqual([["each", scene.agentId]]);
  });

  it("does not know disabled budgets, and changes hold at once", async () => {
    const { id } = await createBudget(scene.ctx, { ...CALLS, limit: "1" });
    await reserve();
    expect(await getErrorCode(reserve())).toBe("budget_exceeded");
    await updateBudget(scene.ctx, { id, limit: "2" });
    await reserve();
    await updateBudget(scene.ctx, { id, limit: "1" });
    expect(await getErrorDetails(reserve())).toMatchObject({ budget: { limit: "1", used: "2" } });
    await updateBudget(scene.ctx, { id, enabled: false });
    expect((await reserve()).reservation.budgets).toEqual([]);
    await updateBudget(scene.ctx, { id, enabled: true });
    expect(await getErrorCode(reserve())).toBe("budget_exceeded");
    await deleteBudget(scene.ctx, { id });
    await reserve();
    expect(await sums()).toEqual([]);
  });

  it("rejects amounts that are none", async () => {
    const amounts = [
      "-1",
      "0.0000001",
      "1e3",
      "1e400",
      " 1",
      "1.",
      ".5",
      "",
      "1".repeat(40),
      "1000000.000001",
    ];
    for (const usd of [...amounts, "Infinity", "NaN", "0x10", "١"]) {
      expect(await getErrorDetails(reserve({ usd }))).toMatchObject({ errors: [{ field: "amounts.usd" }] });
    }
    for (const tokens of ["1.5", "-1", "1000000000001", `1${"0".repeat(30)}`]) {
      expect(await getErrorDetails(reserve({ tokens }))).toMatchObject({
        errors: [{ field: "amounts.tokens" }],
      });
    }
    for (const expiresInSeconds of [9, 86_401, 10.5]) {
      expect(await getErrorDetails(reserveBudget(scene.agent, { expiresInSeconds }))).toMatchObject({
        errors: [{ field: "expiresInSeconds", detail: "must be a whole number from 10 to 86400" }],
      });
    }
  });

  it("refuses agents that are stopped or paused, whatever budgets there are", async () => {
    await setAgentControlState(scene.ctx, { id: scene.agentId, controlState: "paused" });
    expect(await getErrorCode(reserve())).toBe("agent_paused");
    await emergencyStop(userCtx(server, scene.workspaceId, "operator"), { reason: "Fire" });
    expect(await getErrorCode(reserve())).toBe("emergency_stop");
  });

  it("makes one reservation for an Idempotency-Key", async () => {
    await createBudget(scene.ctx, CALLS);
    const caller = callAs(scene.agent, { key: "once" });
    const first = await reserve({}, caller);
    expect((await reserve({}, caller)).reservation.id).toBe(first.reservation.id);
    expect(await sums()).toEqual([["1", "0"]]);
    const racing = callAs(scene.agent, { key: "racing" });
    const codes = await Promise.all([
      getErrorCode(reserve({}, racing)),
      getErrorCode(reserve({}, callAs(racing, { key: "racing" }))),
    ]);
    expect(codes.toSorted()).toEqual(["", "idempotency_conflict"]);
    expect(await sums()).toEqual([["2", "0"]]);
  });

  it("keeps no key of what was not admitted", async () => {
    const { id } = await createBudget(scene.ctx, { ...CALLS, limit: "1" });
    await reserve();
    const caller = callAs(scene.agent, { key: "again" });
    expect(await getErrorCode(reserve({}, caller))).toBe("budget_exceeded");
    await updateBudget(scene.ctx, { id, limit: "2" });
    await reserve({}, caller);
  });

  it("rejects an actor without the scope, and people", async () => {
    const other = agentCtx(server, { id: scene.agentId, workspaceId: scene.workspaceId }, { scopes: [] });
    expect(await getErrorCode(reserve({}, other))).toBe("insufficient_scope");
    expect(await getErrorCode(reserve({}, userCtx(server, scene.workspaceId, "owner")))).toBe("forbidden");
    expect(await getErrorCode(reserve({}, scene.ctx))).toBe("forbidden");
  });
});

describe("thresholds", () => {
  it("fire once in a window, also when one step passes several", async () => {
    const thresholds = [
      { percent: 100, action: "warn" },
      { percent: 50, action: "warn" },
      { percent: 20, action: "pause" },
    ] as const;
    const { id } = await createBudget(scene.ctx, { ...DOLLARS, thresholds: [...thresholds] });
    const { reservation } = await reserve({ usd: "6" });
    await settle(reservation.id, { usd: "0.1" });
    await reserve({ usd: "9.9" });
    const events = await server.database.query<{ data: object }>(
      "SELECT data FROM event WHERE subject_id = $1 AND type = 'budget.threshold' ORDER BY seq",
      [id],
    );
    expect(events.map(({ data }) => data)).toMatchObject([
      { percent: 20, action: "pause", subject: "" },
      { percent: 50, action: "warn" },
      { percent: 100, action: "warn" },
    ]);
    expect(await readSums(server, scene.workspaceId)).toMatchObject([
      { fired_percent: 100, pause_due: true },
    ]);
  });

  it("say that a person is to be asked from then on", async () => {
    await createBudget(scene.ctx, { ...DOLLARS, thresholds: [{ percent: 50, action: "ask" }] });
    const first = await reserve({ usd: "5" });
    expect(first.asks).toBe(false);
    expect((await reserve({ usd: "0.1" })).asks).toBe(true);
    await releaseReservation(scene.agent, { id: first.reservation.id });
    expect((await reserve({ usd: "0.1" })).asks).toBe(false);
  });
});
