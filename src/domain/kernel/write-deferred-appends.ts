import type { Database } from "../../db/client.ts";
import { type BoundStatement, sql } from "../../db/sql.ts";
import { HEAD_WAIT, type SerializedAppend, buildDeferredAppendStatements } from "./append-statements.ts";
import type { LiveChannel } from "./live-channel.ts";

type DeferringServices = { database: Database; live: LiveChannel };
type DeferredAppend = { id: string; content: SerializedAppend; createdAt: Date };

/** Appends per transaction. The others are written in the next one. */
const BATCH = 100;

/**
 * Writes a workspace's deferred appends of urgent transactions: each once, in order, with its original time.
 * Waits if another transaction is writing, as it does for the head row.
 *
 * @see buildDeferralStatements
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

const LOCK = sql<DeferredAppend>`
SELECT id, content, created_at AS "createdAt" FROM deferred_append
WHERE workspace_id = $1::uuid ORDER BY created_at, id LIMIT $2 FOR UPDATE`;

const REMOVE = sql`DELETE FROM deferred_append WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`;
