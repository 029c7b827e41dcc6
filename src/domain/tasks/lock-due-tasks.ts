import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { Task } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { LockedTask } from "./lock-task.ts";

/** Rows per transaction: few, so that nobody waits long. */
const BATCH = 100;

const HELD = "status IN ('working', 'input_required', 'auth_required')";

const DUE = sql<Task & { $now: Date }>`
WITH at AS MATERIALIZED (SELECT date_trunc('milliseconds', ${NOW}) AS now), due AS (
  SELECT id FROM task, at WHERE workspace_id = $1::uuid AND ${HELD} AND (
    status = 'working' AND lease_expires_at <= at.now
    OR status = 'input_required' AND input_deadline_at <= at.now
    OR cancel_requested_at <= at.now - interval '${LIMITS.cancelSeconds} seconds')
  UNION
  SELECT id FROM task, at
  WHERE workspace_id = $1::uuid AND deadline_at <= at.now AND status IN ('submitted', 'working', 'input_required', 'auth_required')
)
SELECT ${selectList("t", TABLES.task)}, at.now AS "$now" FROM task t, at
WHERE t.workspace_id = $1::uuid AND t.id IN (SELECT id FROM due) AND (
  t.deadline_at <= at.now AND t.status IN ('submitted', 'working', 'input_required', 'auth_required')
  OR t.status = 'working' AND t.lease_expires_at <= at.now
  OR t.status = 'input_required' AND t.input_deadline_at <= at.now
  OR t.${HELD} AND t.cancel_requested_at <= at.now - interval '${LIMITS.cancelSeconds} seconds')
LIMIT ${BATCH} FOR UPDATE OF t SKIP LOCKED`;

/** Locks due tasks, at most 100, skipping locked ones. The conditions apply to the locked rows. */
export async function lockDueTasks({ run, ctx }: Transaction): Promise<LockedTask[]> {
  const rows = await run(DUE, [ctx.workspaceId]);
  return rows.map(({ $now: now, ...task }) => ({ task, now }));
}
