import { TABLES, selectList } from "../../db/columns.ts";
import type { Execution } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { append } from "../kernel/events.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { moveExecution } from "./move-execution.ts";

/** Rows per transaction: few, because the workspace's head is locked meanwhile. */
const BATCH = 100;

/**
 * The credentials that were revoked of late; `rotated` keys live on in their successors. The end of the lease is for
 * what was missed.
 */
const REVOKED = `
SELECT r.workspace_id, c.id FROM revocation r CROSS JOIN LATERAL (
  SELECT t.id FROM agent_token t
  WHERE t.workspace_id = r.workspace_id AND t.revoked_at IS NOT NULL
    AND (t.id = r.subject_id OR t.api_key_id = r.subject_id OR t.trust_id = r.subject_id OR t.agent_id = r.subject_id)
  UNION ALL
  SELECT k.id FROM api_key k
  WHERE k.workspace_id = r.workspace_id AND k.id = r.subject_id AND k.revoked_reason <> 'rotated'
) c
WHERE r.created_at > now() - interval '5 minutes' AND r.kind IN ('agent_token', 'api_key', 'workload_trust', 'agent')`;

/** A retry is named for the credential of the first, and any of its agent's does it. Calls are the MCP proxy's own. */
const BY_REVOKED = `e.status = 'started' AND e.retry_of IS NULL
  AND NOT EXISTS (SELECT 1 FROM mcp_call c WHERE c.workspace_id = e.workspace_id AND c.id = e.id)`;

/** The workspaces that have some. */
export const EXECUTIONS_DUE = sql<{ id: string }>`
SELECT workspace_id AS id FROM execution WHERE status = 'started' AND lease_expires_at <= ${NOW}
UNION
SELECT e.workspace_id FROM (${REVOKED}) revoked
JOIN execution e ON e.workspace_id = revoked.workspace_id AND e.credential_id = revoked.id WHERE ${BY_REVOKED}`;

const SELECTED = `${selectList("e", TABLES.execution)}, at.now AS "$now"
FROM execution e, (SELECT date_trunc('milliseconds', ${NOW}) AS now) AS at
WHERE e.workspace_id = $1::uuid`;

const LOCK_LATE = sql<Execution & { $now: Date }>`
SELECT ${SELECTED} AND e.status = 'started' AND e.lease_expires_at <= at.now
ORDER BY e.lease_expires_at LIMIT ${BATCH} FOR NO KEY UPDATE OF e SKIP LOCKED`;

const LOCK_REVOKED = sql<Execution & { $now: Date }>`
SELECT ${SELECTED} AND ${BY_REVOKED}
  AND e.credential_id IN (SELECT id FROM (${REVOKED} AND r.workspace_id = $1::uuid) revoked)
LIMIT ${BATCH} FOR NO KEY UPDATE OF e SKIP LOCKED`;

/**
 * Marks executions as unknown whose lease ended without a report, or whose credential was revoked; as unreported where
 * no report was to come. Nothing repeats them but a person. Any number of nodes may run it at once.
 *
 * @returns the number of changed executions.
 */
export async function sweepExecutions(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(services, { now, turns }, { due: EXECUTIONS_DUE, batch: sweepBatch });
}

const UNKNOWN = { status: "unknown", type: "execution.unknown" } as const;
/** Nobody needs to look into it. */
const UNREPORTED = { status: "unreported", type: "execution.finished" } as const;

async function sweepBatch(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    let moved = 0;
    for (const lock of [LOCK_LATE, LOCK_REVOKED]) {
      for (const { $now: now, ...execution } of await tx.run(lock, [ctx.workspaceId])) {
        const { status, type } = execution.isReported ? UNKNOWN : UNREPORTED;
        const data = { status, endedAt: now };
        const { appended } = await moveExecution(tx, { execution, now }, { data, type });
        append(tx, appended);
        moved += 1;
      }
    }
    return moved;
  });
}
