import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Urgency } from "../../domain/kernel/context.ts";
import { parseBearerKind, hashSecret } from "../credentials.ts";

/** An agent's bearer. `isActive` is false if it is expired or revoked. */
export type KnownToken = {
  kind: "api_key" | "agent_token" | "socket_token";
  id: string;
  agentId: string;
  apiKeyId: string;
  agentTokenId: string | null;
  /** Sorted. */
  scopes: string[];
  createdAt: Date;
  expiresAt: Date | null;
  isActive: boolean;
};

/** Finds a bearer of the caller's workspace. Returns null for any other text. */
export async function findToken(ctx: Ctx, token: string, urgency?: Urgency): Promise<KnownToken | null> {
  const kind = parseBearerKind(token);
  if (kind === null || kind === "scim_token") return null;
  const values = [ctx.workspaceId, Buffer.from(hashSecret(token))];
  const [found] = await ctx.read(KNOWN[kind], values, urgency);
  return found === undefined ? null : { ...found, scopes: found.scopes.toSorted() };
}

function validTokenCondition(revoked: string, expiresAt: string): string {
  return `w.suspended_at IS NULL AND ${revoked} AND (${expiresAt} IS NULL OR ${expiresAt} > ${NOW})`;
}

const KNOWN = {
  api_key: sql<KnownToken>`
SELECT 'api_key' AS kind, k.id, k.agent_id AS "agentId", k.id AS "apiKeyId", NULL AS "agentTokenId", k.scopes,
  k.created_at AS "createdAt", k.expires_at AS "expiresAt",
  ${validTokenCondition("k.revoked_at IS NULL", "k.expires_at")} AS "isActive"
FROM api_key k JOIN workspace w ON w.id = k.workspace_id
WHERE k.workspace_id = $1::uuid AND k.digest = $2`,
  agent_token: sql<KnownToken>`
SELECT 'agent_token' AS kind, t.id, t.agent_id AS "agentId", k.id AS "apiKeyId", t.id AS "agentTokenId",
  ARRAY(SELECT unnest(t.scopes) INTERSECT SELECT unnest(k.scopes)) AS scopes,
  t.created_at AS "createdAt", LEAST(t.expires_at, k.expires_at) AS "expiresAt",
  ${validTokenCondition("t.revoked_at IS NULL AND k.revoked_at IS NULL", "LEAST(t.expires_at, k.expires_at)")} AS "isActive"
FROM agent_token t JOIN api_key k ON k.workspace_id = t.workspace_id AND k.id = t.api_key_id
JOIN workspace w ON w.id = t.workspace_id
WHERE t.workspace_id = $1::uuid AND t.digest = $2`,
  socket_token: sql<KnownToken>`
SELECT 'socket_token' AS kind, s.id, s.agent_id AS "agentId", k.id AS "apiKeyId", t.id AS "agentTokenId",
  ARRAY(SELECT unnest(s.scopes) INTERSECT SELECT unnest(k.scopes)) AS scopes,
  s.created_at AS "createdAt", s.expires_at AS "expiresAt",
  ${validTokenCondition("k.revoked_at IS NULL AND t.revoked_at IS NULL AND (NOT s.single_use OR s.used_at IS NULL)", "LEAST(s.expires_at, k.expires_at, t.expires_at)")} AS "isActive"
FROM socket_token s JOIN api_key k ON k.workspace_id = s.workspace_id AND k.id = s.api_key_id
LEFT JOIN agent_token t ON t.workspace_id = s.workspace_id AND t.id = s.agent_token_id
JOIN workspace w ON w.id = s.workspace_id
WHERE s.workspace_id = $1::uuid AND s.digest = $2`,
};
