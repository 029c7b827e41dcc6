import { type Statement, bindTime } from "../../db/sql.ts";
import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { type FairTurns, createFairTurns } from "./fair-turns.ts";

/** Batches per workspace and run. */
const BATCHES = 10;
/** How many workspaces are handled at once. Each uses one database connection. */
const WORKERS = 4;
/** How long a run waits for a workspace that is slow or locked, before it looks at what is due for others. */
const PATIENCE_MS = 200;

/**
 * The deadlines of one resource: `due` selects the workspaces that have some, and `batch` handles a few of
 * one workspace.
 */
export type WorkspaceSweep = {
  due: Statement<{ id: string }>;
  /** The name of the system actor. */
  actor?: string;
  batch: (ctx: Ctx) => Promise<number>;
};

/** When a sweep runs. */
export type SweepRun = {
  /** The time for deadlines. Only in tests. */
  now?: Date | null;
  /** Shared by all runs of all sweeps of this process. Default: the run has its own, and waits for all work. */
  turns?: FairTurns | undefined;
};

/** Creates turns of a process's sweeps. Of a workspace, they run one batch at a time. */
export function createSweepTurns(): FairTurns {
  return createFairTurns({ workers: WORKERS, patienceMs: PATIENCE_MS });
}

/**
 * Handles the deadlines of all workspaces that have some, a limited number of batches each, in turns. A
 * failure, flood or lock in one workspace does not affect the others.
 *
 * @returns the number of rows changed so far.
 * @throws {AggregateError} all errors, after every workspace had its turn.
 */
export async function sweepWorkspaces(
  services: Services,
  { now = null, turns = createFairTurns({ workers: WORKERS }) }: SweepRun,
  { due, batch, actor = "deadlines" }: WorkspaceSweep,
): Promise<number> {
  const workspaces = await services.database.run(due, bindTime(due, [], now));
  let total = 0;
  const failures = await turns.take(
    workspaces.map(({ id }) => {
      let batches = 0;
      async function run(): Promise<boolean> {
        if (services.stopping?.aborted === true) return false;
        const moved = await batch(openCtx(services, systemCaller(id, actor), now));
        total += moved;
        return moved > 0 && ++batches < BATCHES;
      }
      return { name: due.name, lane: id, run };
    }),
  );
  if (failures.length > 0)
    throw new AggregateError(failures, "deadlines of some workspaces could not be handled");
  return total;
}
