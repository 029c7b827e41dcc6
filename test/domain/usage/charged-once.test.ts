import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createBudget } from "../../../src/domain/budgets/create-budget.ts";
import { sweepBudgets } from "../../../src/domain/budgets/sweep-budgets.ts";
import { setModelPrice } from "../../../src/domain/prices/set-model-price.ts";
import { repriceUsage } from "../../../src/domain/traces/repricing/reprice-usage.ts";
import { userCtx } from "../../support/callers.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { runs } from "../../support/property-runs.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { readTraceSums } from "../../support/stored-spans.ts";
import {
  type TraceScene,
  createOtherSender,
  createTraceScene,
  sendSpans,
} from "../../support/trace-scene.ts";
import { type Batch, type UsageHistory, scheduleHistory, usageHistory } from "../../support/usage-history.ts";
import { chargeLoggedCall } from "../../support/logged-call.ts";
import {
  type UsageSums,
  countUsage,
  readTraceUsage,
  readUsage,
  sumChargedCalls,
  sumCharges,
  sumReported,
} from "../../support/usage-reference.ts";

let server: QuietServices;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

const TOTAL = {
  ...({ scope: { type: "workspace" }, period: "total" } as const),
  ...{ limit: "1000000", defaultEstimate: "1" },
};

type Scene = TraceScene & { senders: Ctx[]; taskId: string; names: Map<string, string> };

async function createScene(): Promise<Scene> {
  const scene = await createTraceScene(server);
  const other = await createOtherSender(server, scene);
  await createBudget(scene.system, { ...TOTAL, unit: "usd", name: "dollars" });
  await createBudget(scene.system, { ...TOTAL, unit: "tokens", name: "tokens" });
  await setModelPrice(scene.system, { model: "priced", prices: { input: "3", output: "15" } });
  const { id: taskId } = await createTask(scene.system, { title: "A task" });
  const names = new Map([
    [scene.agentId, "first"],
    [other.id, "second"],
    [taskId, "task"],
  ]);
  return { ...scene, senders: [scene.agent, other.ctx], taskId, names };
}

async function play(scene: Scene, history: UsageHistory, order: number): Promise<void> {
  const connections = scheduleHistory(history, order, scene.taskId);
  await Promise.all(
    connections.map(async (batches) => {
      for (const batch of batches) await sendUntilStored(scene, batch);
    }),
  );
}

/** More than connections end. */
const ATTEMPTS = 100;

/** As exporters do: what was not answered is sent again. */
async function sendUntilStored({ senders, agent, agentId }: Scene, batch: Batch): Promise<void> {
  const sender = senders[batch?.sender ?? 0];
  if (sender === undefined) throw new Error("no such sender");
  for (let attempt = 0; ; attempt++) {
    try {
      if (batch === null) await chargeLoggedCall(agent, { senderId: agentId, sessionKey: "one" });
      else await sendSpans(sender, batch.spans);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Checks every sum against a recount. @returns the sums, by names that are the same in all workspaces. */
async function expectExact({ workspaceId, names }: Scene): Promise<UsageSums> {
  const { database } = server;
  const { stored, counted } = await readTraceSums(database, workspaceId);
  expect(stored).toEqual(counted);
  const reference = await countUsage(database, workspaceId);
  expect(await readTraceUsage(database, workspaceId)).toEqual(reference.traces);
  const charged = await sumChargedCalls(database, workspaceId);
  const all = await readUsage(database, workspaceId, "all");
  expect(all).toEqual(charged);
  for (const period of ["hour", "day", "month"] as const) {
    expect(await readUsage(database, workspaceId, period)).toEqual(all);
  }
  expect(all).toEqual(reference.charged);
  await sweepBudgets(server.services);
  expect(await sumReported(database, workspaceId)).toEqual(await sumCharges(database, workspaceId));
  return Object.fromEntries(
    Object.entries(all).map(([key, sum]) => [
      [...names].reduce((text, [id, name]) => text.replaceAll(id, name), key),
      sum,
    ]),
  );
}

function reprice({ workspaceId }: Scene) {
  const range = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
  return repriceUsage(userCtx(server, workspaceId, "admin"), range);
}

/** Ends connections in the middle of their transactions, so many at most, while something runs. */
async function killWhile(running: Promise<void>, most: number): Promise<void> {
  const end = { isOver: false };
  const over = running.finally(() => {
    end.isOver = true;
  });
  let killed = 0;
  while (killed < most && !end.isOver) {
    const rows = await server.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction' AND random() < 0.2`,
    );
    killed += rows.length;
  }
  await over;
}

describe("what spans and logs say of calls", () => {
  it("is charged once, whatever is sent in whatever order, by several at once", async () => {
    const property = fc.asyncProperty(usageHistory, async (history) => {
      const sums: UsageSums[] = [];
      for (const order of history.orders) {
        const scene = await createScene();
        await play(scene, history, order);
        sums.push(await expectExact(scene));
      }
      expect(sums[1]).toEqual(sums[0]);
    });
    await fc.assert(property, { numRuns: runs(30) });
  });

  it("is charged what it costs at new prices, whatever comes meanwhile", async () => {
    const property = fc.asyncProperty(usageHistory, async (history) => {
      const scene = await createScene();
      await play(scene, history, history.orders[0]);
      for (const model of ["priced", "*"]) {
        await setModelPrice(scene.system, { model, prices: { input: "7", output: "11" } });
      }
      await Promise.all([play(scene, history, history.orders[1] ?? 0), reprice(scene)]);
      await reprice(scene);
      expect(await reprice(scene)).toMatchObject({ changed: 0, endCursor: null });
      const all = await expectExact(scene);
      expect(all["workspace "]?.unpriced ?? 0).toBe(0);
    });
    await fc.assert(property, { numRuns: runs(15) });
  });

  it("is charged once if connections end in the middle of transactions", async () => {
    const property = fc.asyncProperty(usageHistory, async (history) => {
      const scene = await createScene();
      await killWhile(play(scene, history, history.orders[0]), 20);
      await expectExact(scene);
    });
    await fc.assert(property, { numRuns: runs(10) });
  });
});
