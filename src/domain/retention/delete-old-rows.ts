import type { Statement } from "../../db/statement.ts";
import type { WriteTransaction } from "../kernel/context.ts";
import { type TotalChange, append } from "../kernel/events.ts";
import { RETENTION_DAYS } from "../kernel/limits.ts";
import type { RetentionRule } from "./retention-rules.ts";

/** A row that is deleted, or a list in which rows have changed; `status` is null where the list has none. */
type Row = { id: string; status: string | null; contextId: string | null };
type Cleared = { collection: TotalChange["collection"]; status: string | null };

/** The statements of a rule. */
export type RetentionStatements = {
  /** Selects the workspaces in which rows are too old at $1, or now where that is null. */
  due: string;
  lock: Statement;
  clear: Statement | null;
  remove: Statement;
};

/** Writes the statements of a rule. */
export function retentionStatements(rule: RetentionRule): RetentionStatements {
  const { table, since, setting, isNeeded, batch, columns, references } = rule;
  const days = `w.${RETENTION_DAYS[setting].column}`;
  function isOld(now: string): string {
    return `r.${since} <= COALESCE(${now}::timestamptz, now()) - make_interval(days => ${days}) AND NOT (${isNeeded})`;
  }
  return {
    due: `SELECT w.id FROM workspace w
      WHERE EXISTS (SELECT 1 FROM ${table} r WHERE r.workspace_id = w.id AND ${isOld("$1")})`,
    lock: {
      name: `retention_lock_${table}`,
      text: `SELECT r.id, ${columns.status} AS status, ${columns.contextId} AS "contextId"
        FROM ${table} r JOIN workspace w ON w.id = r.workspace_id
        WHERE r.workspace_id = $1::uuid AND ${isOld("$2")}
        ORDER BY r.${since} LIMIT ${batch} FOR UPDATE OF r SKIP LOCKED`,
    },
    clear: references.length === 0 ? null : clearStatement(table, references),
    remove: {
      name: `retention_remove_${table}`,
      text: `DELETE FROM ${table} WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`,
    },
  };
}

/** Rows that are deleted themselves are left as they are: one statement can't change a row and delete it later. */
function clearStatement(table: string, references: RetentionRule["references"]): Statement {
  const updates = references.map(
    ({ table: from, column, hasStatus }, index) =>
      `changed_${index} AS (UPDATE ${from} r SET ${column} = NULL
        WHERE r.workspace_id = $1::uuid AND r.${column} = ANY($2::uuid[])${from === table ? " AND r.id <> ALL($2::uuid[])" : ""}
        RETURNING ${hasStatus ? "r.status::text" : "NULL::text"} AS status)`,
  );
  const lists = references.map(
    ({ collection }, index) => `SELECT '${collection}' AS collection, status FROM changed_${index}`,
  );
  return {
    name: `retention_clear_${table}`,
    text: `WITH ${updates.join(",\n")}\n${lists.join("\nUNION ")}`,
  };
}

/**
 * Deletes rows of the workspace that are older than it keeps them, a batch at most, and clears what names them.
 *
 * @returns how many were deleted.
 */
export async function deleteOldRows(
  tx: WriteTransaction,
  { collection, table }: RetentionRule,
  { lock, clear, remove }: RetentionStatements,
): Promise<number> {
  const { workspaceId, now } = tx.ctx;
  const old = await tx.run<Row>(lock, [workspaceId, now]);
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  const cleared = clear === null ? [] : await tx.run<Cleared>(clear, [workspaceId, ids]);
  await tx.run(remove, [workspaceId, ids]);
  await append(tx, {
    events: ids.map((id) => ({ type: `${table}.deleted`, subjectType: table, subjectId: id })),
    totals: [
      ...old.map(({ status }) => ({ collection, from: status })),
      ...cleared.map((list) => ({ collection: list.collection, from: list.status, to: list.status })),
    ],
    conversations: old.flatMap(({ contextId }) => (contextId === null ? [] : [{ contextId, messages: -1 }])),
  });
  return old.length;
}
