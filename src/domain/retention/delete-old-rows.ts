import type { Transaction } from "../kernel/context.ts";
import { type TotalChange, append } from "../kernel/events.ts";
import type { Place, Window } from "./retention-places.ts";
import type { RetentionRule } from "./retention-rules.ts";
import {
  type ClearedRows,
  type OldRow,
  type RetentionStatements,
  MAX_CLEARED,
  WINDOW_ROWS,
} from "./retention-statements.ts";

/** The result of a batch; `isOver`: whether there are no more old rows. */
type Deleted = { deleted: number; place: Place; isOver: boolean };

/**
 * Deletes the workspace's rows beyond retention after a place, at most one batch, and clears references to them.
 * If there are many references, it only clears some of them.
 */
export async function deleteOldRows(
  tx: Transaction,
  { rule, statements }: { rule: RetentionRule; statements: RetentionStatements },
  place: Place,
): Promise<Deleted> {
  const { workspaceId } = tx.ctx;
  const { passed } = place;
  const window = place.window ?? (await findWindow(tx, statements, place));
  if (window === null) return { deleted: 0, place, isOver: true };
  const { end, isLast } = window;
  const old = await tx.run(statements.lock, [workspaceId, passed.at, passed.id, end.at, end.id]);
  const last = old.length < rule.batch ? undefined : old.at(-1);
  const next: Deleted = {
    deleted: old.length,
    place: last === undefined ? { passed: end, window: null } : { passed: last, window },
    isOver: last === undefined && isLast,
  };
  if (old.length === 0) return next;
  const ids = old.map(({ id }) => id);
  const cleared = statements.clear === null ? [] : await tx.run(statements.clear, [workspaceId, ids]);
  if (cleared.some(({ count }) => count === MAX_CLEARED)) {
    append(tx, { events: [], totals: toTouched(cleared) });
    return { deleted: 0, place: { passed, window }, isOver: false };
  }
  await tx.run(statements.remove, [workspaceId, ids]);
  appendDeleted(tx, rule, { old, cleared });
  return next;
}

async function findWindow(
  tx: Transaction,
  { window }: RetentionStatements,
  { passed }: Place,
): Promise<Window | null> {
  const [end] = await tx.run(window, [tx.ctx.workspaceId, passed.at, passed.id]);
  return end === undefined ? null : { end, isLast: end.count < WINDOW_ROWS };
}

function appendDeleted(
  tx: Transaction,
  { collection, table }: RetentionRule,
  { old, cleared }: { old: readonly OldRow[]; cleared: readonly ClearedRows[] },
): void {
  append(tx, {
    events: old.map(({ id }) => ({ type: `${table}.deleted`, subjectType: table, subjectId: id })),
    totals: [...old.map(({ status }) => ({ collection, from: status })), ...toTouched(cleared)],
    conversations: old.flatMap(({ contextId }) => (contextId === null ? [] : [{ contextId, messages: -1 }])),
  });
}

/** Changes of lists whose rows have lost a reference. */
function toTouched(cleared: readonly ClearedRows[]): TotalChange[] {
  return cleared.flatMap(({ collection, statuses }) =>
    statuses.map((status) => ({ collection, from: status, to: status })),
  );
}
