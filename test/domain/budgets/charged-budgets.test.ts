import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { createLogger } from "../../../src/config/logger.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { keepCharges } from "../../../src/domain/budgets/reported-charge.ts";
import type { BudgetOperation } from "../../../src/domain/budgets/budget-operation.ts";
import { runBudgetOperation } from "../../../src/domain/budgets/run-budget-operation.ts";
import { sweepBudgets } from "../../../src/domain/budgets/sweep-budgets.ts";
import { type OpenServices, openServices } from "../../../src/services.ts";
import {
  type BudgetScene,
  DOLLARS,
  callAs,
  createBudgetScene,
  findWrongSums,
  readSums,
} from "../../support/budget-scene.ts";
import {
  type BudgetAct,
  type ModelCharge,
  type ModelSums,
  budgetAct,
  createChargeModel,
} from "../../support/charge-model.ts";
import { startNode } from "../../support/node-process.ts";
import { runs } from "../../support/property-runs.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let server: QuietServices;
let secondNode: OpenServices;

beforeAll(async () => {
  server = await openQuietServices();
  const log = createLogger("silent", { write: () => {} });
  secondNode = await openServices(readConfig({ DATABASE_URL: server.database.url }), log);
});

afterAll(async () => {
  await secondNode.close();
  await server.close();
});

const LARGE = "1000000";
/** After the budgets were created. */
const START_MS = Date.parse("2100-01-01T00:00:00Z");

function atMinute(minute: number): Date {
  return new Date(START_MS + minute * 60_000);
}

async function createScene(): Promise<BudgetScene & { agentIds: string[] }> {
  const scene = await createBudgetScene(server);
  const other = await scene.another();
  await createBudget(scene.ctx, { ...DOLLARS, limit: LARGE, period: "minute" });
  await createBudget(scene.ctx, {
    ...{ name: "tokens", scope: { type: "each_agent" }, unit: "tokens", limit: "1000000000" },
    ...{ period: "total", defaultEstimate: "1" },
  });
  return { ...scene, agentIds: [scene.agentId, other.agentId] };
}

/** The sums as the model names them. */
async function readModelSums(workspaceId: string, agentIds: readonly string[]): Promise<ModelSums> {
  const rows = await readSums(server, workspaceId);
  const sums = rows.map((row) => [
    row.subject === ""
      ? `usd ${(row.window_start.getTime() - START_MS) / 60_000}`
      : `tokens ${agentIds.indexOf(row.subject)}`,
    {
      ...{ used: BigInt(row.used), reserved: BigInt(row.reserved) },
      reported: BigInt(row.reported) < 0n ? 0n : BigInt(row.reported),
    },
  ]);
  const found: ModelSums = Object.fromEntries(sums);
  return Object.fromEntries(Object.entries(found).filter(([, { used, reserved }]) => used + reserved > 0n));
}

type Scene = Awaited<ReturnType<typeof createScene>>;

/** @param ids of the reservations. */
async function keep({ ctx, agentIds }: Scene, charges: readonly ModelCharge[], ids: readonly string[] = []) {
  await ctx.transaction(async (tx) =>
    keepCharges(
      tx,
      charges.map(({ agent, minute, reservation, amounts }) => ({
        ...{ id: uuidv7(), agentId: agentIds[agent] ?? "", senderId: agentIds[agent] ?? "" },
        ...{ reservationId: reservation === null ? null : (ids[reservation] ?? null), amounts },
        at: atMinute(minute),
      })),
    ),
  );
}

async function play(acts: readonly BudgetAct[]): Promise<void> {
  const scene = await createScene();
  const model = createChargeModel();
  const [ids, charges]: [string[], ModelCharge[]] = [[], []];
  let waiting: ModelCharge[] = [];
  async function charge(one: ModelCharge): Promise<void> {
    charges.push(one);
    waiting.push(one);
    await keep(scene, [one], ids);
  }
  async function count(isSecond: boolean): Promise<void> {
    await sweepBudgets(isSecond ? secondNode : server.services);
    for (const one of waiting) model.count(one);
    waiting = [];
  }
  async function run(act: BudgetAct): Promise<void> {
    const { kind, agent, amounts, minute, pick } = act;
    const at = pick % Math.max(1, ids.length);
    const caller = callAs(scene.ctx, { now: atMinute(kind === "expire" ? minute + 60 : minute) });
    const ask = async (operation: BudgetOperation) =>
      runBudgetOperation(caller, operation).catch(() => undefined);
    const name = { id: ids[at] ?? uuidv7(), callerId: null };
    switch (kind) {
      case "reserve": {
        const id = uuidv7();
        const agentId = scene.agentIds[agent] ?? "";
        const asked = { delegateId: null, decisionId: null, expiresInSeconds: 3000, isRepeatable: false };
        await ask({ kind, id, agentId, amounts: act.reserved, ...asked });
        ids.push(id);
        return model.reserve(act);
      }
      case "settle":
        await ask({ kind, amounts, ...name });
        return model.settle(at, amounts);
      case "release":
        await ask({ kind, ...name });
        return model.end(at, "released");
      case "expire":
        await ask({ kind, ...name });
        return model.end(at, "expired");
      case "charge": {
        const reservation =
          act.reservation === null || ids.length === 0 ? null : act.reservation % ids.length;
        return charge({ agent, minute, reservation, amounts });
      }
      case "takeBack": {
        const one = charges[pick % Math.max(1, charges.length)];
        if (one === undefined) return;
        const { usd, tokens } = one.amounts;
        return charge({ ...one, amounts: { usd: usd && -usd, tokens: tokens && -tokens } });
      }
      case "count":
        return count(act.isSecond);
    }
  }
  for (const act of acts) await run(act);
  await count(false);
  expect(await readModelSums(scene.workspaceId, scene.agentIds)).toEqual(model.sum());
  expect(await findWrongSums(server, scene.workspaceId)).toEqual([]);
}

/** Ends connections in the middle of their transactions while something runs. */
async function killWhile(running: Promise<unknown>, most: number): Promise<void> {
  const end = { isOver: false };
  const over = running.finally(() => {
    end.isOver = true;
  });
  for (let killed = 0; killed < most && !end.isOver;) {
    const rows = await server.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction' AND random() < 0.3`,
    );
    killed += rows.length;
  }
  await over;
}

async function countKept(): Promise<number> {
  return (await server.database.query("SELECT 1 FROM budget_charge")).length;
}

/** A charge, one that is taken back, and what takes it back, in this order or another. */
function createCharges(count: number): ModelCharge[] {
  const one = { agent: 0, minute: 0, reservation: null };
  const said = { usd: 3n, tokens: 2n };
  return Array.from({ length: count }, (_, at) => [
    { ...one, amounts: said },
    { ...one, amounts: { usd: at % 2 === 0 ? -5n : 5n, tokens: null } },
    { ...one, amounts: { usd: at % 2 === 0 ? 5n : -5n, tokens: null } },
  ]).flat();
}

describe("the sums of budgets", () => {
  it("are what is reserved, said and charged, in whatever order, on two nodes", async () => {
    const acts = fc.array(budgetAct, { minLength: 10, maxLength: 50 });
    await fc.assert(fc.asyncProperty(acts, play), { numRuns: runs(40) });
  });

  it("have each charge once if several nodes count and their connections end", async () => {
    const scene = await createScene();
    await keep(scene, createCharges(1000));
    const countAll = async (services: QuietServices["services"]) => {
      while ((await countKept()) > 0) await sweepBudgets(services).catch(() => undefined);
    };
    await killWhile(Promise.all([countAll(server.services), countAll(secondNode)]), 20);
    const sum = await readModelSums(scene.workspaceId, scene.agentIds);
    expect(sum).toMatchObject({ "usd 0": { used: 3000n }, "tokens 0": { used: 2000n } });
  });

  it("have each charge once if a node is killed while it counts", async () => {
    const scene = await createScene();
    const node = await startNode(server.database.url);
    await keep(scene, createCharges(2000));
    while ((await countKept()) === 6000);
    await node.kill();
    const [rest] = await server.database.query<{ usd: string }>(
      "SELECT COALESCE(sum(usd_micros), 0)::text AS usd FROM budget_charge",
    );
    const [sum] = await readSums(server, scene.workspaceId);
    expect(Number(sum?.reported) + Number(rest?.usd)).toBe(6000);
    while ((await countKept()) > 0) await sweepBudgets(server.services);
    expect(await readModelSums(scene.workspaceId, scene.agentIds)).toMatchObject({
      "usd 0": { used: 6000n },
    });
  });
});
