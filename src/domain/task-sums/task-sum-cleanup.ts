import { NOW, sql } from "../../db/sql.ts";
import type { Services } from "../kernel/services.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Cleanup, cleanUpWorkspaces } from "../sweeps/clean-up.ts";

/** The most rows per statement, so that nobody waits long. */
const BATCH = 5000;

/**
 * The cleanup of the sums of tasks: those of minutes after two days, those of hours when the tasks are deleted that
 * finished then.
 *
 * @param now the time for ages. Only in tests.
 */
export function createTaskSumCleanup(services: Services, now: Date | null): Cleanup {
  return cleanUpWorkspaces(services, now, {
    name: "task_sum",
    actor: "retention",
    due: DUE,
    batch: (ctx) =>
      ctx.transaction(async (tx) => {
        const { length } = await tx.run(DELETE, [ctx.workspaceId]);
        return { deleted: length, hasMore: length === BATCH };
      }),
  });
}

const IS_OLD = `(s.seconds = 60 AND s.at < ${NOW} - interval '${LIMITS.minuteSumHours} hours'
  OR s.seconds = 3600 AND s.at < ${NOW} - make_interval(days => w.task_retention_days, hours => 1))`;

const DUE = sql<{ id: string }>`
SELECT w.id FROM workspace w WHERE EXISTS (SELECT 1 FROM task_sum s WHERE s.workspace_id = w.id AND ${IS_OLD})`;

const DELETE = sql`
DELETE FROM task_sum WHERE ctid = ANY(ARRAY(
  SELECT s.ctid FROM workspace w JOIN task_sum s ON s.workspace_id = w.id
  WHERE w.id = $1::uuid AND ${IS_OLD} LIMIT ${BATCH} FOR UPDATE OF s SKIP LOCKED)) RETURNING 1`;
