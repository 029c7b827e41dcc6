import type { Database } from "../../db/client.ts";
import { isLockTimeout } from "../../db/database-errors.ts";
import { type BoundStatement, sql } from "../../db/sql.ts";
import { HEAD_WAIT, type SerializedAppend, buildDeferredAppendStatements } from "./append-statements.ts";
import type { LiveChannel } from "./live-channel.ts";

type DeferringServices = { database: Database; live: LiveChannel };
type DeferredAppend = { id: string; content: SerializedAppend; createdAt: Date };

/** Workspaces per run, and appends per workspace. The others are written in the next run. */
const BATCH = 100;

/**
 * Writes the deferred appends of urgent transactions: each once, in order, with its original time. Any
 * number of nodes may run it at once. If a head row is still locked, the next run retries.
 *
 * @throws {AggregateError} other errors, after all workspaces had their turn.
 * @see buildDeferralStatements
 */
export async function writeDeferredAppends(services: DeferringServices): Promise<void> {
  const failures: unknown[] = [];
  for (const { workspaceId } of await services.database.run(DUE, [BATCH])) {
    try {
      await writeWorkspaceDeferredAppends(services, workspaceId);
    } catch (error) {
      if (!isLockTimeout(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "deferred appends could not be written");
}

/**
 * {@link writeDeferredAppends} for one workspace. Waits if another transaction is writing, as it does for
 * the head row.
 */
export async function writeWorkspaceDeferredAppends(
  { database, live }: DeferringServices,
  workspaceId: string,
): Promise<void> {
  await database.transaction(async ({ run }) => {
    await run(HEAD_WAIT, []);
    const kept = await run(LOCK, [workspaceId, BATCH]);
    return { result: null, last: kept.length === 0 ? [] : toAppendStatements(workspaceId, kept) };
  });
  live.notifyCommit(workspaceId, []);
}

function toAppendStatements(workspaceId: string, kept: readonly DeferredAppend[]): BoundStatement[] {
  return [
    [REMOVE, [workspaceId, kept.map(({ id }) => id)]],
    ...kept.flatMap(({ content, createdAt }) =>
      buildDeferredAppendStatements(workspaceId, createdAt, content),
    ),
  ];
}

const DUE = sql<{ workspaceId: string }>`
SELECT workspace_id AS "workspaceId" FROM deferred_append GROUP BY workspace_id ORDER BY min(created_at) LIMIT $1`;

const LOCK = sql<DeferredAppend>`
SELECT id, content, created_at AS "createdAt" FROM deferred_append
WHERE workspace_id = $1::uuid ORDER BY created_at, id LIMIT $2 FOR UPDATE`;

const REMOVE = sql`DELETE FROM deferred_append WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`;
