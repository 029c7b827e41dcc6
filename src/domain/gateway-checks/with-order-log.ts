import type { DecisionRow } from "../decisions/decision-row.ts";
import type { Ctx } from "../kernel/context.ts";

/** Notes what a transaction decided about an order. */
export type NoteDecisions = (rows: readonly DecisionRow[]) => void;

/**
 * Runs a transaction that decides an order, and logs the decisions when it has ended: all of them if the order is
 * given, the denials if it is not.
 */
export async function withOrderLog<Result>(
  ctx: Ctx,
  work: (note: NoteDecisions) => Promise<Result>,
): Promise<Result> {
  let noted: readonly DecisionRow[] = [];
  // A transaction may run again: then its last decisions count.
  const result = await work((rows) => (noted = rows)).catch(async (error: unknown) => {
    await store(
      ctx,
      noted.filter(({ outcome }) => outcome === "deny"),
    );
    throw error;
  });
  await store(ctx, noted);
  return result;
}

/** Commands are few, and name their decisions: all are stored. */
async function store({ services }: Ctx, rows: readonly DecisionRow[]): Promise<void> {
  await Promise.all(rows.map((row) => services.decisions.store(row)));
}
