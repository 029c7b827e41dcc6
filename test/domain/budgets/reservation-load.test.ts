import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { createLogger } from "../../../src/config/logger.ts";
import { runBudgetOperation } from "../../../src/domain/budgets/run-budget-operation.ts";
import { lockBudgets } from "../../../src/domain/budgets/change-budgets.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { deleteBudget } from "../../../src/domain/budgets/delete-budget.ts";
import { releaseReservation } from "../../../src/domain/budgets/release-reservation.ts";
import { reserveBudget } from "../../../src/domain/budgets/reserve-budget.ts";
import { settleReservation } from "../../../src/domain/budgets/settle-reservation.ts";
import { updateBudget } from "../../../src/domain/budgets/update-budget.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { type OpenServices, openServices } from "../../../src/services.ts";
import {
  type BudgetScene,
  CALLS,
  DOLLARS,
  callAs,
  createBudgetScene,
  findWrongSums,
  readSums,
  reserveMany,
} from "../../support/budget-scene.ts";
import { openDatabaseProxy } from "../../support/database-proxy.ts";
import { runs } from "../../support/property-runs.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let server: QuietServices;
let secondNode: OpenServices;
let scene: BudgetScene;

function openNode(url: string): Promise<OpenServices> {
  const log = createLogger("silent", { write: () => {} });
  return openServices(readConfig({ DATABASE_URL: url }), log);
}

beforeAll(async () => {
  server = await openQuietServices();
  secondNode = await openNode(server.database.url);
});

afterAll(async () => {
  await secondNode.close();
  await server.close();
});

beforeEach(async () => {
  scene = await createBudgetScene(server);
});

/** The same caller on the other node. */
function onSecondNode(ctx: Ctx): Ctx {
  return openCtx(secondNode, ctx, ctx.now);
}

describe("many reservations at once", () => {
  it("on two nodes are admitted up to the limit exactly, for every budget", async () => {
    await createBudget(scene.ctx, { ...CALLS, limit: "777" });
    await createBudget(scene.ctx, { ...DOLLARS, limit: "900", scope: { type: "each_agent" } });
    const callers = Array.from({ length: 1000 }, (_, index) =>
      index % 2 === 0 ? scene.agent : onSecondNode(scene.agent),
    );
    expect(await reserveMany(callers, { usd: "1" })).toEqual({ admitted: 777, budget_exceeded: 223 });
    expect((await readSums(server, scene.workspaceId)).map(({ used, reserved }) => [used, reserved])).toEqual(
      [
        ["777", "0"],
        ["0", "777000000"],
      ],
    );
    expect(await findWrongSums(server, scene.workspaceId)).toEqual([]);
  });

  it("never pass a limit that is lowered meanwhile, and outlive a budget that is deleted", async () => {
    const { id } = await createBudget(scene.ctx, { ...CALLS, limit: "400" });
    const other = await createBudget(scene.ctx, { ...CALLS, name: "deleted", limit: "1000" });
    const callers = Array.from({ length: 600 }, (_, index) =>
      index % 2 === 0 ? scene.agent : onSecondNode(scene.agent),
    );
    const admitted = (async () => {
      const parts = Array.from({ length: 12 }, (_, part) => callers.slice(part * 50, part * 50 + 50));
      let count = 0;
      for (const part of parts) count += (await reserveMany(part))["admitted"] ?? 0;
      return count;
    })();
    await deleteBudget(scene.ctx, { id: other.id });
    await updateBudget(scene.ctx, { id, limit: "200" });
    const [before] = await readSums(server, scene.workspaceId);
    const count = await admitted;
    const [after] = await readSums(server, scene.workspaceId);
    expect(count).toBe(Math.max(200, Number(before?.used ?? 0)));
    expect(after).toMatchObject({ used: `${count}`, limit_amount: "200" });
  });

  it("in many workspaces don't wait for one whose budgets are locked", async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => createBudgetScene(server)));
    await createBudget(scene.ctx, CALLS);
    const ids = scene.ctx.transaction(async (tx) => {
      await lockBudgets(tx);
      const made = await Promise.all(others.map(({ agent }) => reserveBudget(agent, {})));
      return made.map(({ reservation }) => reservation.id);
    });
    await reserveBudget(scene.agent, {});
    expect(await ids).toHaveLength(others.length);
  });
});

describe("the sums of budgets", () => {
  it("are those of the reservations after any operations, on two nodes", async () => {
    const act = fc.record({
      kind: fc.constantFrom("reserve", "settle", "release", "expire", "again"),
      usd: fc.integer({ min: 0, max: 3_000_000 }).map((micros) => (micros / 1_000_000).toFixed(6)),
      pick: fc.nat(),
      isSecond: fc.boolean(),
      minutes: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 60 }), async (acts) => {
        const { ctx, agent, workspaceId } = await createBudgetScene(server);
        await createBudget(ctx, { ...DOLLARS, limit: "9", period: "minute" });
        await createBudget(ctx, {
          ...DOLLARS,
          name: "r",
          onExpiry: "release",
          scope: { type: "each_agent" },
        });
        await createBudget(ctx, { ...CALLS, limit: "25" });
        const ids: string[] = [];
        const start = Date.parse("2026-11-23T10:00:00Z");
        const run = async ({ kind, usd, pick, isSecond, minutes }: (typeof acts)[number]) => {
          const now = new Date(start + minutes * 60_000);
          const caller = callAs(isSecond ? onSecondNode(agent) : agent, { now });
          const id = ids[pick % Math.max(1, ids.length)] ?? crypto.randomUUID();
          if (kind === "reserve" || kind === "again") {
            const input = { amounts: { usd }, expiresInSeconds: 60 };
            ids.push((await reserveBudget(caller, input)).reservation.id);
          } else if (kind === "settle") await settleReservation(caller, { id, amounts: { usd } });
          else if (kind === "release") await releaseReservation(caller, { id });
          else await runBudgetOperation(caller, { kind, id, callerId: null });
        };
        for (let index = 0; index < acts.length; index += 6) {
          const results = await Promise.allSettled(acts.slice(index, index + 6).map(run));
          const codes = results.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
          for (const code of codes) {
            expect(["budget_exceeded", "not_found", "invalid_state"]).toContain(code);
          }
          expect(await findWrongSums(server, workspaceId)).toEqual([]);
        }
      }),
      { numRuns: runs(12) },
    );
  });
});

describe("a failing database", () => {
  it("admits nothing, and works again when it is back", async () => {
    await createBudget(scene.ctx, CALLS);
    const proxy = await openDatabaseProxy(server.database.url);
    const node = await openNode(proxy.url);
    try {
      const caller = openCtx(node, scene.agent);
      await reserveBudget(caller, {});
      proxy.cut();
      const refused = await reserveMany([caller, caller, caller]);
      expect(refused["admitted"]).toBeUndefined();
      proxy.mend();
      await reserveBudget(openCtx(node, scene.agent), {});
      expect(await findWrongSums(server, scene.workspaceId)).toEqual([]);
    } finally {
      await node.close();
      await proxy.close();
    }
  });
});
