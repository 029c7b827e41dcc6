import { NOW, sql } from "../db/sql.ts";
import { API_KEY, buildValidSql } from "../domain/credentials/validity-sql.ts";
import type { Transaction } from "../domain/kernel/context.ts";
import { DomainError } from "../domain/kernel/errors.ts";
import { type Scope, isScope } from "../domain/kernel/scopes.ts";

/** An API key's current row, locked. */
export type ActiveKey = {
  id: string;
  agentId: string;
  scopes: ReadonlySet<Scope>;
  expiresAt: Date | null;
  now: Date;
};

/**
 * Locks an API key, and the first of its lineage, against revocation and other mints of the lineage until the
 * transaction ends.
 *
 * @throws {DomainError} invalid_token if the key was revoked or expired since the request was
 *   authenticated.
 */
export async function requireActiveKey({ run, ctx }: Transaction, apiKeyId: string): Promise<ActiveKey> {
  await run(LOCK, [ctx.workspaceId, apiKeyId]);
  // In a statement of its own, so that it sees what held the lock before, as do those that follow.
  const [key] = await run(READ, [ctx.workspaceId, apiKeyId]);
  if (key === undefined) throw new DomainError("invalid_token", "The API key is revoked or has expired.");
  return { ...key, scopes: new Set(key.scopes.filter(isScope)) };
}

/** The lineage's first key first, as whatever locks a lineage does. */
const LOCK = sql`
SELECT id FROM api_key WHERE workspace_id = $1::uuid AND (id = $2::uuid OR id = (
  SELECT lineage_id FROM api_key WHERE workspace_id = $1::uuid AND id = $2::uuid))
ORDER BY id <> lineage_id FOR NO KEY UPDATE`;

const READ = sql<Omit<ActiveKey, "scopes"> & { scopes: string[] }>`
SELECT k.id, k.agent_id AS "agentId", k.scopes, k.expires_at AS "expiresAt",
  date_trunc('milliseconds', ${NOW}) AS now
FROM ${API_KEY.from} WHERE k.workspace_id = $1::uuid AND k.id = $2::uuid AND ${buildValidSql(API_KEY)}`;
