import { type Statement, NOW, buildStatement } from "../../db/sql.ts";
import type { TotalChange } from "../kernel/events.ts";
import { RETENTION_DAYS } from "../kernel/retention-days.ts";
import type { Position } from "./retention-places.ts";
import type { RetentionRule } from "./retention-rules.ts";

/** A row to delete; `status` is null if its collection has none. */
export type OldRow = Position & { status: string | null; contextId: string | null };

/** How many rows lost a reference, and their statuses: `[null]` if their collection has none. */
export type ClearedRows = {
  collection: TotalChange["collection"];
  count: number;
  statuses: (string | null)[];
};

/** The most old rows that are looked at in one batch, whether they are kept or not. */
export const WINDOW_ROWS = 10_000;
/** The most references that a batch clears in one table. */
export const MAX_CLEARED = 5000;

/** The statements of a retention rule. None of them reads rows before its place. */
export type RetentionStatements = {
  /** Selects the workspaces with old rows, needed or not. Values: workspaces with their places, as three arrays. */
  due: Statement<{ id: string }>;
  /** The next old rows after a place: the last one, and how many they are. */
  window: Statement<Position & { count: number }>;
  /** Locks rows to delete between two positions. */
  lock: Statement<OldRow>;
  clear: Statement<ClearedRows> | null;
  remove: Statement;
};

export function buildRetentionStatements(rule: RetentionRule): RetentionStatements {
  const { table, since, setting, isNeeded, batch, columns, references } = rule;
  const end = `${NOW} - make_interval(days => ${RETENTION_DAYS[setting].column})`;
  // A subquery, because with a join PostgreSQL would sort instead of following the index.
  const rows = `FROM ${table} r WHERE r.workspace_id = $1::uuid
    AND (r.${since}, r.id) > ($2::timestamptz, $3::uuid)
    AND r.${since} <= (SELECT ${end} FROM workspace WHERE id = $1::uuid)`;
  const order = `ORDER BY r.${since}, r.id`;
  return {
    due: buildStatement(
      `retention_due_${table}`,
      `WITH place AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[]) AS p (workspace_id, at, id))
       SELECT w.id FROM workspace w LEFT JOIN place p ON p.workspace_id = w.id
       CROSS JOIN LATERAL (
         SELECT 1 FROM ${table} r WHERE r.workspace_id = w.id AND r.${since} <= ${end}
           AND (r.${since}, r.id) > (COALESCE(p.at, '-infinity'), COALESCE(p.id, '00000000-0000-0000-0000-000000000000'))
         ${order} LIMIT 1
       ) o`,
    ),
    window: buildStatement(
      `retention_window_${table}`,
      `SELECT at, id, (count(*) OVER ())::int AS count
       FROM (SELECT r.${since} AS at, r.id ${rows} ${order} LIMIT ${WINDOW_ROWS}) found ORDER BY at DESC, id DESC LIMIT 1`,
    ),
    lock: buildStatement(
      `retention_lock_${table}`,
      `SELECT r.id, r.${since} AS at, ${columns.status} AS status, ${columns.contextId} AS "contextId"
       ${rows} AND (r.${since}, r.id) <= ($4::timestamptz, $5::uuid) AND NOT (${isNeeded})
       ${order} LIMIT ${batch} FOR UPDATE OF r SKIP LOCKED`,
    ),
    clear: references.length === 0 ? null : buildClearStatement(table, references),
    remove: buildStatement(
      `retention_remove_${table}`,
      `DELETE FROM ${table} WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`,
    ),
  };
}

/** Skips rows that are deleted by the same transaction. */
function buildClearStatement(table: string, references: RetentionRule["references"]): Statement<ClearedRows> {
  const updates = references.map(
    ({ table: from, column, hasStatus }, index) =>
      `changed_${index} AS (UPDATE ${from} r SET ${column} = NULL
        WHERE r.workspace_id = $1::uuid AND r.id = ANY(ARRAY(
          SELECT o.id FROM ${from} o WHERE o.workspace_id = $1::uuid AND o.${column} = ANY($2::uuid[])
            ${from === table ? "AND o.id <> ALL($2::uuid[])" : ""} LIMIT ${MAX_CLEARED}))
        RETURNING ${hasStatus ? "r.status::text" : "NULL::text"} AS status)`,
  );
  const lists = references.map(
    ({ collection }, index) =>
      `SELECT '${collection}' AS collection, count(*)::int AS count,
         COALESCE(array_agg(DISTINCT status), '{}') AS statuses FROM changed_${index}`,
  );
  return buildStatement(
    `retention_clear_${table}`,
    `WITH ${updates.join(",\n")}\n${lists.join("\nUNION ALL ")}`,
  );
}
