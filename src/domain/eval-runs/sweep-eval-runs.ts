import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { EvalRun } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { append } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { buildFailedMove } from "./fail-eval-run.ts";
import { type EvalRunAppendContent, moveEvalRun } from "./move-eval-run.ts";

/** Rows per transaction: few, because the workspace's head is locked meanwhile. */
const BATCH = 100;

const OPEN = "status IN ('queued', 'running')";
const SILENCE = `interval '${LIMITS.evalSilenceMinutes} minutes'`;

/** The workspaces that have some. */
export const EVAL_RUNS_DUE = sql<{ id: string }>`
SELECT DISTINCT workspace_id AS id FROM eval_run
WHERE ${OPEN} AND updated_at <= ${NOW} - ${SILENCE}`;

const LOCK_DUE = sql<EvalRun & { $now: Date }>`
SELECT ${selectList("r", TABLES.evalRun)}, at.now AS "$now"
FROM eval_run r, (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
WHERE r.workspace_id = $1::uuid AND ${OPEN} AND r.updated_at <= at.now - ${SILENCE}
ORDER BY r.updated_at LIMIT ${BATCH} FOR NO KEY UPDATE OF r SKIP LOCKED`;

const STALLED = {
  code: "stalled",
  message: `Nothing was reported for ${LIMITS.evalSilenceMinutes} minutes.`,
};

/**
 * Marks unfinished runs without a report for 60 minutes as failed. Any number of nodes may run it at once.
 *
 * @returns the number of failed runs.
 */
export async function sweepEvalRuns(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(services, { now, turns }, { due: EVAL_RUNS_DUE, batch: sweepBatch });
}

async function sweepBatch(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const due = await tx.run(LOCK_DUE, [ctx.workspaceId]);
    const moves: EvalRunAppendContent[] = [];
    for (const { $now: now, ...run } of due) {
      const locked = { run, now };
      moves.push((await moveEvalRun(tx, locked, buildFailedMove(locked, STALLED))).appended);
    }
    if (due.length > 0) append(tx, mergeAppends(...moves));
    return due.length;
  });
}
