import { sql } from "../../db/sql.ts";
import {
  AGENT_TOKEN,
  API_KEY,
  SOCKET_TOKEN,
  buildExpiredSql,
  buildValidSql,
} from "../../domain/credentials/validity-sql.ts";
import type { Ctx, Urgency } from "../../domain/kernel/context.ts";
import { parseBearerKind, hashSecret } from "../credentials.ts";

/** An agent's bearer. `isActive` is false if it is expired or revoked. */
export type KnownToken = {
  kind: "api_key" | "agent_token" | "socket_token";
  id: string;
  agentId: string;
  apiKeyId: string | null;
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
  const values = [ctx.workspaceId, hashSecret(token)];
  const [found] = await ctx.read(KNOWN[kind], values, urgency);
  return found === undefined ? null : { ...found, scopes: found.scopes.toSorted() };
}

const KNOWN = {
  api_key: sql<KnownToken>`
SELECT 'api_key' AS kind, k.id, k.agent_id AS "agentId", k.id AS "apiKeyId", NULL AS "agentTokenId",
  ${API_KEY.scopes} AS scopes, k.created_at AS "createdAt", ${API_KEY.expiresAt} AS "expiresAt",
  w.suspended_at IS NULL AND ${buildValidSql(API_KEY)} AS "isActive"
FROM ${API_KEY.from} JOIN workspace w ON w.id = k.workspace_id WHERE k.workspace_id = $1::uuid AND k.digest = $2`,
  agent_token: sql<KnownToken>`
SELECT 'agent_token' AS kind, t.id, t.agent_id AS "agentId", k.id AS "apiKeyId", t.id AS "agentTokenId",
  ${AGENT_TOKEN.scopes} AS scopes, t.created_at AS "createdAt", ${AGENT_TOKEN.expiresAt} AS "expiresAt",
  w.suspended_at IS NULL AND ${buildValidSql(AGENT_TOKEN)} AS "isActive"
FROM ${AGENT_TOKEN.from} JOIN workspace w ON w.id = t.workspace_id WHERE t.workspace_id = $1::uuid AND t.digest = $2`,
  socket_token: sql<KnownToken>`
SELECT 'socket_token' AS kind, s.id, s.agent_id AS "agentId", k.id AS "apiKeyId", t.id AS "agentTokenId",
  ${SOCKET_TOKEN.scopes} AS scopes, s.created_at AS "createdAt",
  LEAST(s.expires_at, ${SOCKET_TOKEN.expiresAt}) AS "expiresAt",
  w.suspended_at IS NULL AND NOT ${buildExpiredSql("s.expires_at")} AND ${buildValidSql(SOCKET_TOKEN)}
    AND (NOT s.single_use OR s.used_at IS NULL) AS "isActive"
FROM ${SOCKET_TOKEN.from} JOIN workspace w ON w.id = s.workspace_id WHERE s.workspace_id = $1::uuid AND s.digest = $2`,
};
