import { AGENT_TOKEN, API_KEY, buildRemainingMsSql } from "../domain/credentials/validity-sql.ts";
import type { Database } from "../db/client.ts";
import { sql } from "../db/sql.ts";
import { toParent } from "../domain/kernel/actor.ts";
import { type Scope, isScope } from "../domain/kernel/scopes.ts";
import type { RevokedCredential } from "./note-revoked-use.ts";
import type { Credential } from "./remembered-credentials.ts";

/** A bearer that was found, valid or not. */
export type FoundCredential =
  | { state: "valid"; credential: Credential }
  | { state: "expired" }
  | { state: "revoked"; credential: RevokedCredential };

type Row = {
  id: string;
  workspaceId: string;
  agentId: string;
  apiKeyId: string | null;
  trustId: string | null;
  lineageId: string;
  agentName: string;
  scopes: string[];
  ipAllowlist: string[];
  workspaceSuspended: boolean;
  expiresAt: Date | null;
  remainingMs: number | null;
  revoked: boolean;
};

function buildColumns({ scopes, expiresAt, isRevoked }: typeof API_KEY): string {
  return `w.id AS "workspaceId", k.id AS "apiKeyId", a.id AS "agentId", a.name AS "agentName",
  COALESCE(k.ip_allowlist, '{}') AS "ipAllowlist", w.suspended_at IS NOT NULL AS "workspaceSuspended",
  ${scopes} AS scopes, ${expiresAt} AS "expiresAt", ${buildRemainingMsSql(expiresAt)} AS "remainingMs",
  ${isRevoked} AS revoked`;
}

// A token may be another agent's than the key that minted it.
const STATEMENTS = {
  api_key: sql<Row>`
SELECT k.id, NULL AS "trustId", k.lineage_id AS "lineageId", ${buildColumns(API_KEY)}
FROM ${API_KEY.from} JOIN workspace w ON w.id = k.workspace_id
JOIN agent a ON a.workspace_id = k.workspace_id AND a.id = k.agent_id
WHERE k.digest = $1`,
  agent_token: sql<Row>`
SELECT t.id, t.trust_id AS "trustId", COALESCE(k.lineage_id, u.id) AS "lineageId", ${buildColumns(AGENT_TOKEN)}
FROM ${AGENT_TOKEN.from} JOIN workspace w ON w.id = t.workspace_id
JOIN agent a ON a.workspace_id = t.workspace_id AND a.id = t.agent_id
WHERE t.digest = $1`,
};

/** Looks up an agent's bearer by its digest with one query. Returns null if it is unknown. */
export async function findCredential(
  { database, now }: { database: Database; now: Date | null },
  kind: "api_key" | "agent_token",
  digest: Uint8Array,
): Promise<FoundCredential | null> {
  const [row] = await database.run(STATEMENTS[kind], [digest, now]);
  if (row === undefined) return null;
  const credential = toCredential(kind, row);
  if (row.revoked) return { state: "revoked", credential: { ...credential, kind, id: row.id } };
  if (row.remainingMs !== null && row.remainingMs <= 0) return { state: "expired" };
  return { state: "valid", credential };
}

function toCredential(kind: "api_key" | "agent_token", row: Row): Credential {
  const { id, lineageId, expiresAt, workspaceId, workspaceSuspended, ipAllowlist, remainingMs } = row;
  return {
    actor: {
      type: "agent",
      id: row.agentId,
      name: row.agentName,
      scopes: new Set<Scope>(row.scopes.filter(isScope)),
      credential: { kind, id, parent: toParent(row), lineageId, expiresAt },
    },
    workspaceId,
    workspaceSuspended,
    ipAllowlist,
    remainingMs,
  };
}
