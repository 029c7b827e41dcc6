import { type Statement, NOW, sql } from "../../db/sql.ts";
import type { Services } from "../kernel/services.ts";
import { type Cleanup, cleanUpWorkspaces } from "../sweeps/clean-up.ts";

/** The most rows per statement, so that nobody waits long. */
const BATCH = 5000;

/**
 * Cleanups of sums whose period ended, and of reservations that ended, longer ago than the workspace keeps them.
 *
 * @param now the time for ages. Only in tests.
 */
export function createBudgetCleanups(services: Services, now: Date | null): Cleanup[] {
  return [
    createCleanup("budget_window", [WINDOWS_DUE, DELETE_WINDOWS]),
    createCleanup("reservation", [RESERVATIONS_DUE, DELETE_RESERVATIONS]),
  ];

  function createCleanup(name: string, [due, remove]: [Statement<{ id: string }>, Statement]): Cleanup {
    return cleanUpWorkspaces(services, now, {
      name,
      actor: "retention",
      due,
      batch: (ctx) =>
        ctx.transaction(async (tx) => {
          const { length: deleted } = await tx.run(remove, [ctx.workspaceId]);
          return { deleted, hasMore: deleted === BATCH };
        }),
    });
  }
}

const WINDOWS_DUE = sql<{ id: string }>`
SELECT w.id FROM workspace w WHERE EXISTS (
  SELECT 1 FROM budget_window b
  WHERE b.workspace_id = w.id AND b.window_end <= ${NOW} - make_interval(days => w.budget_retention_days))`;

const DELETE_WINDOWS = sql`
DELETE FROM budget_window WHERE ctid = ANY(ARRAY(
  SELECT b.ctid FROM budget_window b
  WHERE b.workspace_id = $1::uuid AND b.window_end <= ${NOW} - make_interval(days => (
    SELECT budget_retention_days FROM workspace WHERE id = $1::uuid))
  ORDER BY b.window_end LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`;

const RESERVATIONS_DUE = sql<{ id: string }>`
SELECT w.id FROM workspace w WHERE EXISTS (
  SELECT 1 FROM reservation r
  WHERE r.workspace_id = w.id AND r.ended_at <= ${NOW} - make_interval(days => w.budget_retention_days))`;

const DELETE_RESERVATIONS = sql`
DELETE FROM reservation WHERE ctid = ANY(ARRAY(
  SELECT r.ctid FROM reservation r
  WHERE r.workspace_id = $1::uuid AND r.ended_at <= ${NOW} - make_interval(days => (
    SELECT budget_retention_days FROM workspace WHERE id = $1::uuid))
  ORDER BY r.ended_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`;
