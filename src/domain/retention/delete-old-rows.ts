import { type Statement, NOW, buildStatement } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { type TotalChange, append } from "../kernel/events.ts";
import { RETENTION_DAYS } from "../kernel/limits.ts";
import type { RetentionRule } from "./retention-rules.ts";

/** A deleted row, or a list with changed rows; `status` is null if the list has none. */
type Row = { id: string; status: string | null; contextId: string | null };
type Cleared = { collection: TotalChange["collection"]; status: string | null };

/** The statements of a retention rule. */
export type RetentionStatements = {
  /** Selects the workspaces with rows beyond retention. */
  due: Statement<{ id: string }>;
  lock: Statement<Row>;
  clear: Statement<Cleared> | null;
  remove: Statement;
};

export function retentionStatements(rule: RetentionRule): RetentionStatements {
  const { table, since, setting, isNeeded, batch, columns, references } = rule;
  const days = `w.${RETENTION_DAYS[setting].column}`;
  const isOld = `r.${since} <= ${NOW} - make_interval(days => ${days}) AND NOT (${isNeeded})`;
  return {
    due: buildStatement(
      `retention_due_${table}`,
      `SELECT w.id FROM workspace w
       WHERE EXISTS (SELECT 1 FROM ${table} r WHERE r.workspace_id = w.id AND ${isOld})`,
    ),
    lock: buildStatement(
      `retention_lock_${table}`,
      `SELECT r.id, ${columns.status} AS status, ${columns.contextId} AS "contextId"
       FROM ${table} r JOIN workspace w ON w.id = r.workspace_id
       WHERE r.workspace_id = $1::uuid AND ${isOld}
       ORDER BY r.${since} LIMIT ${batch} FOR UPDATE OF r SKIP LOCKED`,
    ),
    clear: references.length === 0 ? null : clearStatement(table, references),
    remove: buildStatement(
      `retention_remove_${table}`,
      `DELETE FROM ${table} WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`,
    ),
  };
}

/** Skips rows that are deleted by the same statement: it can't update and delete a row. */
function clearStatement(table: string, references: RetentionRule["references"]): Statement<Cleared> {
  const updates = references.map(
    ({ table: from, column, hasStatus }, index) =>
      `changed_${index} AS (UPDATE ${from} r SET ${column} = NULL
        WHERE r.workspace_id = $1::uuid AND r.${column} = ANY($2::uuid[])${from === table ? " AND r.id <> ALL($2::uuid[])" : ""}
        RETURNING ${hasStatus ? "r.status::text" : "NULL::text"} AS status)`,
  );
  const lists = references.map(
    ({ collection }, index) => `SELECT '${collection}' AS collection, status FROM changed_${index}`,
  );
  return buildStatement(`retention_clear_${table}`, `WITH ${updates.join(",\n")}\n${lists.join("\nUNION ")}`);
}

/**
 * Deletes rows of the workspace beyond its retention period, at most one batch, and clears references to
 * them.
 *
 * @returns the number of deleted rows.
 */
export async function deleteOldRows(
  tx: Transaction,
  { collection, table }: RetentionRule,
  { lock, clear, remove }: RetentionStatements,
): Promise<number> {
  const { workspaceId } = tx.ctx;
  const old = await tx.run(lock, [workspaceId]);
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  const cleared = clear === null ? [] : await tx.run(clear, [workspaceId, ids]);
  await tx.run(remove, [workspaceId, ids]);
  append(tx, {
    events: ids.map((id) => ({ type: `${table}.deleted`, subjectType: table, subjectId: id })),
    totals: [
      ...old.map(({ status }) => ({ collection, from: status })),
      ...cleared.map((list) => ({ collection: list.collection, from: list.status, to: list.status })),
    ],
    conversations: old.flatMap(({ contextId }) => (contextId === null ? [] : [{ contextId, messages: -1 }])),
  });
  return old.length;
}
