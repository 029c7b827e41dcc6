import type { Statement } from "../../db/sql.ts";
import { type Ctx, type Services, openCtx, systemCaller } from "../kernel/context.ts";

/** Of one workspace in one pass: what is left of a flood waits for the next, and nobody else waits for it. */
const BATCHES = 10;

/**
 * Deadlines of one resource: `due` selects the workspaces that have some, and `batch` works a few of one, in the
 * name of the system's `actor`.
 */
export type WorkspaceSweep = {
  due: Statement<{ id: string }>;
  batch: (ctx: Ctx) => Promise<number>;
  /** `deadlines` where it is left out. */
  actor?: string;
};

/**
 * Works the deadlines of every workspace that has some, a number of batches each. One workspace's failure or flood
 * keeps the others from nothing.
 *
 * @returns how many rows were moved.
 * @throws {AggregateError} with what failed, when all workspaces had their turn.
 */
export async function sweepWorkspaces(
  services: Services,
  now: Date | null,
  { due, batch, actor = "deadlines" }: WorkspaceSweep,
): Promise<number> {
  const workspaces = await services.database.run(due, [now]);
  const failures: unknown[] = [];
  let total = 0;
  for (const { id } of workspaces) {
    const ctx = openCtx(services, systemCaller(id, actor), now);
    try {
      total += await sweepBatches(ctx, batch);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "deadlines of workspaces could not be worked");
  return total;
}

async function sweepBatches(ctx: Ctx, batch: WorkspaceSweep["batch"]): Promise<number> {
  let total = 0;
  for (let turn = 0; turn < BATCHES; turn++) {
    const moved = await batch(ctx);
    if (moved === 0) break;
    total += moved;
  }
  return total;
}
