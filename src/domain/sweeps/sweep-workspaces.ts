import type { Statement } from "../../db/sql.ts";
import { type Ctx, type Services, openCtx, systemCaller } from "../kernel/context.ts";

/** Batches per workspace and run, so that one workspace does not delay the others. */
const BATCHES = 10;

/**
 * The deadlines of one resource: `due` selects the workspaces that have some, and `batch` handles a few of
 * one workspace.
 */
export type WorkspaceSweep = {
  due: Statement<{ id: string }>;
  batch: (ctx: Ctx) => Promise<number>;
};

/**
 * Handles the deadlines of all workspaces that have some, a limited number of batches each. A failure or
 * flood in one workspace does not affect the others.
 *
 * @returns the number of changed rows.
 * @throws {AggregateError} all errors, after every workspace had its turn.
 */
export async function sweepWorkspaces(
  services: Services,
  now: Date | null,
  { due, batch }: WorkspaceSweep,
): Promise<number> {
  const workspaces = await services.database.run(due, [now]);
  const failures: unknown[] = [];
  let total = 0;
  for (const { id } of workspaces) {
    const ctx = openCtx(services, systemCaller(id, "deadlines"), now);
    try {
      total += await sweepBatches(ctx, batch);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, "deadlines of some workspaces could not be handled");
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
