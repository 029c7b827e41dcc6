import { setTimeout as sleep } from "node:timers/promises";
import { NOW, sql } from "../db/sql.ts";
import { SOCKET_TOKEN, buildRemainingMsSql } from "../domain/credentials/validity-sql.ts";
import type { LiveDatabase } from "../db/notifications.ts";
import { CLOSINGS } from "./closings.ts";
import type { LiveConnection } from "./connections.ts";

/**
 * The state of a credential that a socket depends on. `restMs` is the time until it expires, null for
 * never.
 */
type CredentialStatus = { id: string; isSuperseded: boolean; restMs: number | null };

/**
 * Looks up all credentials of this node's sockets, with one statement per kind, and closes the sockets of
 * those that are gone. Also finds what no revocation reports, such as rows deleted by hand. Waits for
 * `readRevocations` before it closes any, but no more than a second, so that those with a revocation are closed for its
 * reason.
 */
export async function sweepCredentials(
  { database, readRevocations, now }: SweepParts,
  all: Iterable<LiveConnection>,
): Promise<void> {
  const people: CheckedConnection[] = [];
  const agents: CheckedConnection[] = [];
  for (const connection of all) {
    const { identity } = connection;
    if (identity === null) continue;
    const { workspaceId } = identity;
    if (identity.kind === "user") people.push({ connection, workspaceId, id: identity.sessionId });
    else if (identity.socketTokenId !== null) {
      agents.push({ connection, workspaceId, id: identity.socketTokenId });
    }
  }
  for (const [statement, swept] of [
    [SESSIONS, people],
    [SOCKET_TOKENS, agents],
  ] as const) {
    if (swept.length === 0) continue;
    const asked = [...new Map(swept.map((one) => [one.id, one])).values()];
    const values = [asked.map(({ workspaceId }) => workspaceId), asked.map(({ id }) => id), now];
    const rows = await database.run(statement, values);
    const statuses = new Map(rows.map((row) => [row.id, row]));
    if (asked.some(({ id }) => !statuses.has(id)))
      await Promise.race([readRevocations(), sleep(READ_MS, null, { ref: false })]);
    for (const { connection, id } of swept) applyStatus(connection, statuses.get(id));
  }
}

const READ_MS = 1000;

type SweepParts = { database: LiveDatabase; readRevocations: () => Promise<void>; now: Date | null };

type CheckedConnection = { connection: LiveConnection; workspaceId: string; id: string };

function applyStatus(connection: LiveConnection, status: CredentialStatus | undefined): void {
  if (status === undefined) {
    connection.kill(CLOSINGS.revoked("gone"));
  } else if (status.isSuperseded) {
    connection.kill(CLOSINGS.superseded);
  } else if (status.restMs !== null) {
    connection.endsAtMs = Math.min(connection.endsAtMs, performance.now() + status.restMs);
  }
}

const SESSIONS = sql<CredentialStatus>`
SELECT t.id, COALESCE(s.first_used_at <= ${NOW} - interval '60 seconds', false) AS "isSuperseded",
  ${buildRemainingMsSql("t.expires_at")} AS "restMs"
FROM unnest($1::uuid[], $2::uuid[]) AS asked(workspace_id, id)
JOIN users_tokens t ON t.workspace_id = asked.workspace_id AND t.id = asked.id AND t.context = 'session'
JOIN "user" u ON u.workspace_id = t.workspace_id AND u.id = t.user_id AND u.auth_epoch = t.auth_epoch
  AND u.suspended_at IS NULL AND u.deleted_at IS NULL
JOIN workspace w ON w.id = t.workspace_id AND w.suspended_at IS NULL
LEFT JOIN users_tokens s ON s.workspace_id = t.workspace_id AND s.id = t.successor_id`;

/** Socket tokens expire early. What counts is the key or agent token that minted them. */
const SOCKET_TOKENS = sql<CredentialStatus>`
SELECT s.id, false AS "isSuperseded", ${buildRemainingMsSql(SOCKET_TOKEN.expiresAt)} AS "restMs"
FROM ${SOCKET_TOKEN.from} JOIN workspace w ON w.id = s.workspace_id AND w.suspended_at IS NULL
JOIN unnest($1::uuid[], $2::uuid[]) AS asked(workspace_id, id) ON asked.workspace_id = s.workspace_id AND asked.id = s.id
WHERE NOT ${SOCKET_TOKEN.isRevoked}`;
