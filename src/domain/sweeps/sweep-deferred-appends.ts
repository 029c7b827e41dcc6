import { isLockTimeout } from "../../db/database-errors.ts";
import { sql } from "../../db/sql.ts";
import type { Services } from "../kernel/services.ts";
import { writeWorkspaceDeferredAppends } from "../kernel/write-deferred-appends.ts";
import type { FairTurns } from "./fair-turns.ts";
import { sweepWorkspaces } from "./sweep-workspaces.ts";

/** The most workspaces per run. */
const WORKSPACES = 100;

/** The workspaces that have some. */
export const APPENDS_DEFERRED = sql<{ id: string }>`
SELECT workspace_id AS id FROM deferred_append GROUP BY workspace_id ORDER BY min(created_at) LIMIT ${WORKSPACES}`;

/**
 * Writes the deferred appends of urgent transactions. Any number of nodes may run it at once. If a head row
 * is still locked, the next run retries.
 */
export async function sweepDeferredAppends(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<void> {
  await sweepWorkspaces(
    services,
    { now, turns },
    {
      due: APPENDS_DEFERRED,
      batch: async ({ workspaceId }) => {
        await tryWrite(services, workspaceId);
        return 0;
      },
    },
  );
}

async function tryWrite(services: Services, workspaceId: string): Promise<void> {
  try {
    await writeWorkspaceDeferredAppends(services, workspaceId);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}
