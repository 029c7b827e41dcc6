import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { deleteBudget } from "../../../src/domain/budgets/delete-budget.ts";
import { listBudgets } from "../../../src/domain/budgets/list-budgets.ts";
import { readBudget } from "../../../src/domain/budgets/read-budget.ts";
import { reserveBudget } from "../../../src/domain/budgets/reserve-budget.ts";
import { updateBudget } from "../../../src/domain/budgets/update-budget.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import {
  type BudgetScene,
  CALLS,
  DOLLARS,
  type NewBudget,
  callAs,
  createBudgetScene,
  readSums,
} from "../../support/budget-scene.ts";
import { getErrorCode, getErrorDetails } from "../../support/callers.ts";
import { lastAudit, personCtx, readEventTypes } from "../../support/person-ctx.ts";
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

describe("createBudget", () => {
  it("stores the budget with its defaults, its event and audit event", async () => {
    const { id } = await createBudget(scene.ctx, { ...DOLLARS, limit: "12.5" });
    expect(await readBudget(scene.ctx, { id })).toMatchObject({
      ...{ name: "dollars", description: null, scope: "workspace", unit: "usd", limitAmount: 12_500_000n },
      ...{ period: "day", timeZone: "UTC", thresholds: [], defaultEstimate: 500_000n, onExpiry: "charge" },
      ...{ enabled: true, generation: 1 },
    });
    expect(await readEventTypes(server, id)).toEqual(["budget.created"]);
    expect(await lastAudit(server, scene.workspaceId)).toMatchObject({
      ...{ action: "budget.created", target_id: id },
      changes: { limit: "12.5", unit: "usd", scope: { type: "workspace" } },
    });
  });

  it("orders thresholds, and spells a time zone as usual", async () => {
    const thresholds = [
      { percent: 90, action: "ask" },
      { percent: 50, action: "warn" },
    ] as const;
    const budget = { ...DOLLARS, thresholds: [...thresholds], timeZone: "europe/berlin" };
    expect(await createBudget(scene.ctx, budget)).toMatchObject({
      thresholds: thresholds.toReversed(),
      timeZone: "Europe/Berlin",
    });
  });

  it.each([
    [{ name: "" }, "name"],
    [{ limit: "0" }, "limit"],
    [{ limit: "-1" }, "limit"],
    [{ limit: "1000000000.000001" }, "limit"],
    [{ limit: "1e9" }, "limit"],
    [{ unit: "tokens", limit: "1.5" }, "limit"],
    [{ unit: "tokens", limit: "1000000000000001" }, "limit"],
    [{ defaultEstimate: "0" }, "defaultEstimate"],
    [{ defaultEstimate: null }, "defaultEstimate"],
    [{ unit: "calls", limit: "5" }, "defaultEstimate"],
    [{ scope: { type: "agent" } }, "scope.agentId"],
    [{ scope: { type: "workspace", label: "x" } }, "scope.label"],
    [{ scope: { type: "each_label" } }, "scope.label"],
    [{ scope: { type: "label", label: "team" } }, "scope.value"],
    [{ scope: { type: "everything" } }, "scope.type"],
    [{ period: "week" }, "period"],
    [{ timeZone: "Mars/Phobos" }, "timeZone"],
    [{ thresholds: [{ percent: 0, action: "warn" }] }, "thresholds.0.percent"],
    [{ thresholds: [{ percent: 101, action: "warn" }] }, "thresholds.0.percent"],
    [{ thresholds: [{ percent: 50, action: "shout" }] }, "thresholds.0.action"],
    [
      {
        thresholds: [
          { percent: 5, action: "warn" },
          { percent: 5, action: "ask" },
        ],
      },
      "thresholds",
    ],
    [
      { thresholds: Array.from({ length: 11 }, (_, n) => ({ percent: n + 1, action: "warn" })) },
      "thresholds",
    ],
    [{ onExpiry: "forget" }, "onExpiry"],
  ])("rejects %j", async (fields, field) => {
    // Wrong on purpose.
    const budget = { ...DOLLARS, ...fields } as NewBudget;
    expect(await getErrorDetails(createBudget(scene.ctx, budget))).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  it("rejects agents that are unknown, archived or of another workspace", async () => {
    const foreign = await createBudgetScene(server);
    const { agentId } = await scene.another();
    await archiveAgent(scene.ctx, agentId);
    for (const id of [crypto.randomUUID(), foreign.agentId, agentId]) {
      const budget = { ...DOLLARS, scope: { type: "agent", agentId: id } } as const;
      expect(await getErrorDetails(createBudget(scene.ctx, budget))).toMatchObject({
        field: "scope.agentId",
      });
    }
  });

  it("rejects a name that another budget has, and more than a workspace may have", async () => {
    await createBudget(scene.ctx, DOLLARS);
    expect(await getErrorCode(createBudget(scene.ctx, DOLLARS))).toBe("already_exists");
    await server.database.query(
      `INSERT INTO budget (workspace_id, id, name, scope, unit, limit_amount, period, time_zone, thresholds,
         on_expiry, enabled, created_by, updated_by)
       SELECT $1, gen_random_uuid(), 'b-' || n, 'workspace', 'calls', 5, 'day', 'UTC', '[]', 'charge', true, '{}', '{}'
       FROM generate_series(2, $2::int) n`,
      [scene.workspaceId, LIMITS.budgets],
    );
    expect(await getErrorDetails(createBudget(scene.ctx, CALLS))).toMatchObject({
      errors: [{ detail: expect.stringContaining("at most 200 budgets") }],
    });
  });
});

describe("updateBudget", () => {
  it("changes what is given, and audits it", async () => {
    const { id } = await createBudget(scene.ctx, DOLLARS);
    const changed = await updateBudget(scene.ctx, { id, ifGeneration: 1, limit: "20", name: "more dollars" });
    expect(changed).toMatchObject({
      ...{ name: "more dollars", limitAmount: 20_000_000n, defaultEstimate: 500_000n, generation: 2 },
    });
    expect(await lastAudit(server, scene.workspaceId)).toMatchObject({
      changes: { limit_amount: { from: "10", to: "20" }, name: { from: "dollars", to: "more dollars" } },
    });
    expect(await readEventTypes(server, id)).toEqual(["budget.created", "budget.updated"]);
  });

  it("changes the limit of current sums, and leaves past ones", async () => {
    const { id } = await createBudget(scene.ctx, DOLLARS);
    for (const time of ["2026-11-22T12:00:00Z", "2026-11-23T12:00:00Z"]) {
      await reserveBudget(callAs(scene.agent, { now: new Date(time) }), {});
    }
    await updateBudget(callAs(scene.ctx, { now: new Date("2026-11-23T13:00:00Z") }), { id, limit: "5" });
    const sums = await readSums(server, scene.workspaceId);
    expect(sums.map(({ limit_amount: limit }) => limit)).toEqual(["10000000", "5000000"]);
  });

  it("changes nothing for equal values", async () => {
    const { id } = await createBudget(scene.ctx, DOLLARS);
    const same = { id, limit: "10.0", name: "dollars", thresholds: [], enabled: true };
    expect(await updateBudget(scene.ctx, same)).toMatchObject({ generation: 1 });
    expect(await readEventTypes(server, id)).toEqual(["budget.created"]);
  });

  it("rejects another generation, the name of another budget, an unknown id, and what can't change", async () => {
    const { id } = await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, CALLS);
    const code = (input: object) => getErrorCode(updateBudget(scene.ctx, { id, ...input }));
    expect(await code({ ifGeneration: 2, limit: "5" })).toBe("precondition_failed");
    expect(await code({ name: "calls" })).toBe("already_exists");
    expect(await code({ id: crypto.randomUUID() })).toBe("not_found");
    expect(await code({ limit: "0" })).toBe("validation_failed");
    expect(await code({ unit: "tokens" })).toBe("unknown_field");
  });
});

describe("deleteBudget", () => {
  it("deletes the budget with its sums", async () => {
    const { id } = await createBudget(scene.ctx, DOLLARS);
    await reserveBudget(scene.agent, {});
    await deleteBudget(scene.ctx, { id });
    expect(await getErrorCode(readBudget(scene.ctx, { id }))).toBe("not_found");
    expect(await readSums(server, scene.workspaceId)).toEqual([]);
    expect(await readEventTypes(server, id)).toEqual(["budget.created", "budget.deleted"]);
    expect(await getErrorCode(deleteBudget(scene.ctx, { id }))).toBe("not_found");
  });
});

describe("listBudgets", () => {
  it("lists budgets with a stored total, all or by unit and whether they are enabled", async () => {
    await createBudget(scene.ctx, DOLLARS);
    await createBudget(scene.ctx, CALLS);
    await createBudget(scene.ctx, { ...CALLS, name: "off", enabled: false });
    const names = async (filter: Parameters<typeof listBudgets>[2]) => {
      const { nodes, total } = await listBudgets(scene.ctx, {}, filter);
      return [total, ...nodes.map(({ name }) => name)];
    };
    expect(await names({})).toEqual([3, "off", "calls", "dollars"]);
    expect(await names({ unit: "usd" })).toEqual([1, "dollars"]);
    expect(await names({ enabled: true })).toEqual([2, "calls", "dollars"]);
  });
});

describe("the rights to budgets", () => {
  it("let admins write who entered their password recently, and every member read", async () => {
    const { id } = await createBudget(scene.ctx, CALLS);
    const open = (role: "admin" | "operator" | "viewer", isSudo = true) =>
      personCtx(server, { id: crypto.randomUUID(), workspaceId: scene.workspaceId }, { role, isSudo });
    for (const act of [
      (ctx: BudgetScene["ctx"]) => createBudget(ctx, DOLLARS),
      (ctx: BudgetScene["ctx"]) => updateBudget(ctx, { id, limit: "7" }),
      (ctx: BudgetScene["ctx"]) => deleteBudget(ctx, { id }),
    ]) {
      expect(await getErrorCode(act(open("operator")))).toBe("forbidden");
      expect(await getErrorCode(act(open("admin", false)))).toBe("sudo_required");
      expect(await getErrorCode(act(scene.agent))).toBe("forbidden");
    }
    expect(await updateBudget(open("admin"), { id, limit: "7" })).toMatchObject({ limitAmount: 7n });
    expect(await readBudget(open("viewer"), { id })).toMatchObject({ name: "calls" });
    expect((await listBudgets(open("viewer"), {})).total).toBe(1);
  });
});
