import type { Database } from "../db/client.ts";
import { NOW, sql } from "../db/sql.ts";
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
  apiKeyId: string;
  lineageId: string;
  agentName: string;
  scopes: string[];
  ipAllowlist: string[];
  workspaceSuspended: boolean;
  expiresAt: Date | null;
  remainingMs: number | null;
  revoked: boolean;
};

const COMMON = `
  a.name AS "agentName", k.ip_allowlist AS "ipAllowlist", w.suspended_at IS NOT NULL AS "workspaceSuspended"`;

function remainingMsColumn(expiresAt: string): string {
  return `(EXTRACT(EPOCH FROM ${expiresAt} - ${NOW}) * 1000)::float8 AS "remainingMs"`;
}

const STATEMENTS = {
  api_key: sql<Row>`
SELECT k.id, k.workspace_id AS "workspaceId", k.agent_id AS "agentId", k.id AS "apiKeyId", k.lineage_id AS "lineageId", k.scopes,
  k.expires_at AS "expiresAt", ${remainingMsColumn("k.expires_at")}, k.revoked_at IS NOT NULL AS revoked, ${COMMON}
FROM api_key k
JOIN agent a ON a.workspace_id = k.workspace_id AND a.id = k.agent_id
JOIN workspace w ON w.id = k.workspace_id
WHERE k.digest = $1`,
  // A token never has more rights than its key has now, nor a later expiry.
  agent_token: sql<Row>`
SELECT t.id, t.workspace_id AS "workspaceId", t.agent_id AS "agentId", t.api_key_id AS "apiKeyId",
  k.lineage_id AS "lineageId",
  ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(k.scopes)) AS scopes,
  LEAST(t.expires_at, k.expires_at) AS "expiresAt", ${remainingMsColumn("LEAST(t.expires_at, k.expires_at)")},
  t.revoked_at IS NOT NULL OR k.revoked_at IS NOT NULL AS revoked, ${COMMON}
FROM agent_token t
JOIN api_key k ON k.workspace_id = t.workspace_id AND k.id = t.api_key_id
JOIN agent a ON a.workspace_id = t.workspace_id AND a.id = t.agent_id
JOIN workspace w ON w.id = t.workspace_id
WHERE t.digest = $1`,
};

/** Looks up an agent's bearer by its digest with one query. Returns null if it is unknown. */
export async function findCredential(
  { database, now }: { database: Database; now: Date | null },
  kind: "api_key" | "agent_token",
  digest: Uint8Array,
): Promise<FoundCredential | null> {
  const [row] = await database.run(STATEMENTS[kind], [Buffer.from(digest), now]);
  if (row === undefined) return null;
  const credential = toCredential(kind, row);
  if (row.revoked) return { state: "revoked", credential: { ...credential, kind, id: row.id } };
  if (row.remainingMs !== null && row.remainingMs <= 0) return { state: "expired" };
  return { state: "valid", credential };
}

function toCredential(kind: "api_key" | "agent_token", row: Row): Credential {
  const { id, apiKeyId, lineageId, expiresAt, workspaceId, workspaceSuspended, ipAllowlist, remainingMs } =
    row;
  return {
    actor: {
      type: "agent",
      id: row.agentId,
      name: row.agentName,
      scopes: new Set<Scope>(row.scopes.filter(isScope)),
      credential: { kind, id, apiKeyId, lineageId, expiresAt },
    },
    workspaceId,
    workspaceSuspended,
    ipAllowlist,
    remainingMs,
  };
}
