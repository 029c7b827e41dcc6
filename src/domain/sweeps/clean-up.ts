import { setTimeout as pause } from "node:timers/promises";
import { type Statement, bindTime } from "../../db/sql.ts";
import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { createFairTurns } from "./fair-turns.ts";

/** The result of a batch: how many rows it deleted, and whether another batch may find more. */
export type BatchResult = { deleted: number; hasMore: boolean };

/** Deletes a limited number of rows of one workspace (null: of all), in a short transaction. */
export type Batch = { workspaceId: string | null; run: () => Promise<BatchResult> };

/** Deletes rows of one kind that are not needed any more. */
export type Cleanup = {
  name: string;
  /** Finds where rows may have to be deleted, such as in which workspaces. */
  find: () => Promise<Batch[]>;
};

export type CleanupResult = {
  /** Numbers of deleted rows, by the names of the cleanups. */
  deleted: Record<string, number>;
  failures: Error[];
  /** Whether rows are left that could be deleted at once. */
  hasMore: boolean;
};

/** How many batches run at once. Each uses one database connection. */
const WORKERS = 2;
/** After this time no batch gets another turn, so that the next run finds what has become due meanwhile. */
const RUN_MS = 60_000;
/** The longest pause after a batch. A worker pauses as long as its batch took. */
const MAX_PAUSE_MS = 1000;

type Job = Batch & { name: string };

/**
 * Runs cleanups until nothing is left, for a minute at most. Batches take turns, so a workspace with many rows delays
 * others by one batch at a time, and a locked one delays only one of the workers. After a failure, a batch gets
 * no other turn; that does not affect others. Any number of nodes may run it at once.
 */
export async function cleanUp(
  { stopping }: Pick<Services, "stopping">,
  cleanups: readonly Cleanup[],
): Promise<CleanupResult> {
  const result: CleanupResult = { deleted: {}, failures: [], hasMore: false };
  const untilMs = performance.now() + RUN_MS;

  async function work(job: Job): Promise<boolean> {
    if (stopping?.aborted === true) return false;
    const startMs = performance.now();
    const hasMore = await runBatch(job, result);
    await rest(performance.now() - startMs, stopping);
    if (!hasMore || performance.now() < untilMs) return hasMore;
    result.hasMore = true;
    return false;
  }

  const jobs = await findJobs(cleanups, result);
  await createFairTurns({ workers: WORKERS }).take(
    jobs.map((job, index) => ({ name: `${index}`, lane: job.workspaceId ?? "", run: () => work(job) })),
  );
  return result;
}

async function findJobs(cleanups: readonly Cleanup[], { failures }: CleanupResult): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const { name, find } of cleanups) {
    try {
      for (const batch of await find()) jobs.push({ ...batch, name });
    } catch (cause) {
      failures.push(new Error(`old rows could not be found: ${name}`, { cause }));
    }
  }
  return jobs;
}

/** @returns whether it needs another turn. */
async function runBatch({ name, run }: Job, { deleted, failures }: CleanupResult): Promise<boolean> {
  try {
    const { deleted: count, hasMore } = await run();
    deleted[name] = (deleted[name] ?? 0) + count;
    return hasMore;
  } catch (cause) {
    failures.push(new Error(`old rows could not be deleted: ${name}`, { cause }));
    return false;
  }
}

/** Leaves the database to others for a while. */
async function rest(ms: number, stopping: AbortSignal | undefined): Promise<void> {
  const options = stopping === undefined ? {} : { signal: stopping };
  await pause(Math.min(ms, MAX_PAUSE_MS), undefined, options).catch(() => {});
}

/** A cleanup of every workspace that `due` selects, as the system actor `actor`. */
export type WorkspaceCleanup = {
  name: string;
  actor: string;
  due: Statement<{ id: string }>;
  /** Values of `due`. */
  values?: () => readonly unknown[];
  batch: (ctx: Ctx) => Promise<BatchResult>;
};

/** @param now the time for ages. Only in tests. */
export function cleanUpWorkspaces(
  services: Services,
  now: Date | null,
  { name, actor, due, values = () => [], batch }: WorkspaceCleanup,
): Cleanup {
  return {
    name,
    find: async () => {
      const workspaces = await services.database.run(due, bindTime(due, values(), now));
      return workspaces.map(({ id }) => {
        const ctx = openCtx(services, systemCaller(id, actor), now);
        return { workspaceId: id, run: () => batch(ctx) };
      });
    },
  };
}
