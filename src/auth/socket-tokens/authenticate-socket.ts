import { NOW, sql } from "../../db/sql.ts";
import {
  SOCKET_TOKEN,
  buildExpiredSql,
  buildRemainingMsSql,
  buildValidSql,
} from "../../domain/credentials/validity-sql.ts";
import { type Actor, toParent } from "../../domain/kernel/actor.ts";
import type { Database } from "../../db/client.ts";
import { type Scope, isScope } from "../../domain/kernel/scopes.ts";
import { isAllowed } from "../authenticate.ts";
import { parseBearerKind, hashSecret } from "../credentials.ts";

/** The agent of a socket token, and what its socket depends on. */
export type SocketCredential = {
  actor: Extract<Actor, { type: "agent" }>;
  workspaceId: string;
  socketTokenId: string;
  agentTokenId: string | null;
  /** Milliseconds until the credential that minted it expires; null for never. */
  remainingMs: number | null;
};

/** Why a socket token is rejected. */
export type SocketRejection = "invalid" | "forbidden" | "expired" | "workspace_suspended";

type Row = {
  id: string;
  workspaceId: string;
  agentId: string;
  agentName: string;
  apiKeyId: string | null;
  trustId: string | null;
  lineageId: string;
  agentTokenId: string | null;
  scopes: string[];
  ipAllowlist: string[];
  isExpired: boolean;
  isRevoked: boolean;
  isUsed: boolean;
  isSuspended: boolean;
  expiresAt: Date | null;
  remainingMs: number | null;
};

/**
 * Authenticates a socket token. It must be valid now; the socket may then stay open as long as the minting
 * credential is valid. Uses up a single-use token.
 */
export async function authenticateSocket(
  { database, now }: { database: Database; now: Date | null },
  token: string,
  ip: string | null,
): Promise<SocketCredential | SocketRejection> {
  if (parseBearerKind(token) !== "socket_token") return "invalid";
  const [row] = await database.run(FIND, [hashSecret(token), now]);
  if (row === undefined || row.isRevoked) return "invalid";
  if (row.isSuspended) return "workspace_suspended";
  if (row.isExpired || row.isUsed) return "expired";
  if (!isAllowed(row.ipAllowlist, ip)) return "forbidden";
  return toCredential(row);
}

function toCredential(row: Row): SocketCredential {
  const { id, workspaceId, agentId, agentName, agentTokenId, scopes, expiresAt, remainingMs } = row;
  const parent = toParent(row);
  return {
    actor: {
      type: "agent",
      id: agentId,
      name: agentName,
      scopes: new Set<Scope>(scopes.filter(isScope)),
      credential: {
        kind: agentTokenId === null ? "api_key" : "agent_token",
        id: agentTokenId ?? parent.id,
        parent,
        lineageId: row.lineageId,
        expiresAt,
      },
    },
    workspaceId,
    socketTokenId: id,
    agentTokenId,
    remainingMs,
  };
}

/** A socket never has more rights than the credential that minted its token. */
const FIND = sql<Row>`
WITH found AS (
  SELECT s.id, s.workspace_id, s.agent_id, a.name, s.api_key_id, s.trust_id, COALESCE(k.lineage_id, u.id) AS lineage_id,
    s.agent_token_id, s.single_use, COALESCE(k.ip_allowlist, '{}') AS ip_allowlist,
    ${SOCKET_TOKEN.scopes} AS scopes, ${SOCKET_TOKEN.expiresAt} AS ends_at, NOT ${buildValidSql(SOCKET_TOKEN)} AS revoked,
    ${buildExpiredSql("s.expires_at")} AS expired, w.suspended_at IS NOT NULL AS suspended
  FROM ${SOCKET_TOKEN.from}
  JOIN agent a ON a.workspace_id = s.workspace_id AND a.id = s.agent_id
  JOIN workspace w ON w.id = s.workspace_id
  WHERE s.digest = $1
), used AS (
  UPDATE socket_token s SET used_at = ${NOW} FROM found f
  WHERE s.workspace_id = f.workspace_id AND s.id = f.id AND s.single_use AND s.used_at IS NULL
    AND NOT f.expired AND NOT f.revoked AND NOT f.suspended
  RETURNING s.id
)
SELECT f.id, f.workspace_id AS "workspaceId", f.agent_id AS "agentId", f.name AS "agentName",
  f.api_key_id AS "apiKeyId", f.trust_id AS "trustId", f.lineage_id AS "lineageId", f.agent_token_id AS "agentTokenId",
  f.scopes, f.ip_allowlist AS "ipAllowlist",
  f.expired AS "isExpired", f.revoked AS "isRevoked", f.suspended AS "isSuspended",
  f.single_use AND NOT EXISTS (SELECT 1 FROM used) AS "isUsed", f.ends_at AS "expiresAt",
  ${buildRemainingMsSql("f.ends_at")} AS "remainingMs"
FROM found f`;
