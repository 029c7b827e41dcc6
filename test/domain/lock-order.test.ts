import { afterAll, beforeAll, describe, it } from "vitest";
import { emergencyStop } from "../../src/domain/stops/emergency-stop.ts";
import { cancelTask } from "../../src/domain/tasks/cancel-task.ts";
import { userCtx } from "../support/callers.ts";
import { insertTestAgent } from "../support/factories.ts";
import { holdLock } from "../support/locked-table.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { claimNew, createWorker } from "../support/workers.ts";

const LOCK_AGENT = "SELECT 1 FROM agent WHERE id = $1 FOR NO KEY UPDATE";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** Holds an agent's row, lets something wait for it, and proves that it holds nothing else of what comes later. */
async function expectWaits(
  agentId: string,
  act: () => Promise<unknown>,
  later: [string, string],
): Promise<void> {
  const [statement, id] = later;
  const held = await holdLock(world.server.database, LOCK_AGENT, [agentId]);
  const acting = act();
  try {
    await held.waiters(1);
    await held.query(`${statement} NOWAIT`, [id]);
  } finally {
    await held.release();
    await acting;
  }
}

describe("whoever locks more than one row", () => {
  it("locks an agent before what it holds: a cancel", async () => {
    const worker = await createWorker(world.server, world.workspaceId);
    const { task } = await claimNew(worker);
    const operator = userCtx(world.server, world.workspaceId, "operator");
    const lockTask = "SELECT 1 FROM task WHERE id = $1 FOR UPDATE";
    await expectWaits(worker.agentId, () => cancelTask(operator, { id: task.id }), [lockTask, task.id]);
  });

  it("locks agents in the order of their ids, whatever they are: an emergency stop", async () => {
    const { ctx, workspaceId } = await world.another();
    const software = await insertTestAgent(ctx);
    const robot = await insertTestAgent(ctx, "robot");
    const operator = userCtx(world.server, workspaceId, "operator");
    await expectWaits(software, () => emergencyStop(operator, { reason: "x" }), [LOCK_AGENT, robot]);
  });
});
