import type { BoundStatement } from "../db/statement.ts";
import { isLockTimeout } from "../db/failures.ts";
import { HEAD_WAIT, type Writable, writeStatements } from "./append-statements.ts";
import type { Services } from "./context.ts";

type Due = { workspaceId: string; id: string };
type Kept = { content: Writable; createdAt: Date };

/** Of one pass: what is left waits for the next. */
const BATCH = 100;

/**
 * Writes the events, totals and audit rows of urgent transactions that did not wait for their workspace's head,
 * each exactly once and with the time at which it happened. Any number of nodes may do it at once; where a head is
 * still not to be had, the next pass tries again.
 *
 * @throws {AggregateError} with what failed otherwise, when all workspaces had their turn.
 * @see deferStatements
 */
export async function writeDeferredAppends({ database, live }: Services): Promise<void> {
  const stuck = new Set<string>();
  const failures: unknown[] = [];
  for (const due of await database.read<Due>(DUE, [BATCH])) {
    // In a workspace they are written in their order.
    if (stuck.has(due.workspaceId)) continue;
    try {
      await database.transaction(async (run) => {
        const [kept] = await run<Kept>(TAKE, [due.workspaceId, due.id]);
        return { result: null, last: kept === undefined ? [] : statementsOf(due, kept) };
      });
      live.committed(due.workspaceId, []);
    } catch (error) {
      if (!isLockTimeout(error)) failures.push(error);
      stuck.add(due.workspaceId);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "what was deferred could not be written");
}

function statementsOf({ workspaceId }: Due, { content, createdAt }: Kept): BoundStatement[] {
  return [[HEAD_WAIT, []], ...writeStatements({ workspaceId, now: createdAt }, content)];
}

const DUE = {
  name: "deferred_due",
  text: `SELECT workspace_id AS "workspaceId", id FROM deferred_append ORDER BY created_at, id LIMIT $1`,
};

const TAKE = {
  name: "deferred_take",
  text: `
DELETE FROM deferred_append WHERE (workspace_id, id) IN (
  SELECT workspace_id, id FROM deferred_append WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE SKIP LOCKED
) RETURNING content, created_at AS "createdAt"`,
};
