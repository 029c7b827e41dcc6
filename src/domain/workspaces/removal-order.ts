/** A foreign key between two tables of workspaces' rows. `columns`: besides the workspace, quoted; null if one can't be null. */
export type Reference = { from: string; to: string; columns: readonly string[] | null };

/** Rows of a table are deleted, or columns of them set to null. */
export type RemovalStep = { table: string; clear: readonly string[] | null };

/**
 * Orders the tables so that rows are deleted before those that they refer to. Where tables refer to each other, as few
 * references as possible are set to null before.
 *
 * @throws if tables refer to each other by columns that can't be null.
 */
export function orderRemoval(tables: readonly string[], references: readonly Reference[]): RemovalStep[] {
  const steps: RemovalStep[] = [];
  const left = new Set(tables);
  while (left.size > 0) {
    const candidates = Array.from(left, (table) => ({
      table,
      referring: references.filter(({ from, to }) => to === table && left.has(from)),
    }));
    const [next] = candidates
      .filter(({ referring }) => referring.every(({ columns }) => columns !== null))
      .toSorted((a, b) => a.referring.length - b.referring.length);
    if (next === undefined) throw new Error(`no order of deletion: ${[...left].join(", ")}`);
    for (const { from, columns } of next.referring) steps.push({ table: from, clear: columns });
    steps.push({ table: next.table, clear: null });
    left.delete(next.table);
  }
  return steps;
}
