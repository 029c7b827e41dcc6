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
 * Locks an API key against revocation and other mints until the transaction ends.
 *
 * @throws {DomainError} invalid_token if the key was revoked or expired since the request was
 *   authenticated.
 */
export async function requireActiveKey({ db, ctx }: Transaction, apiKeyId: string): Promise<ActiveKey> {
  const locked = await db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM api_key WHERE workspace_id = $1::uuid AND id = $2::uuid AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > COALESCE($3::timestamptz, now())) FOR NO KEY UPDATE`,
    ...[ctx.workspaceId, apiKeyId, ctx.now],
  );
  // In a statement of its own, so that it sees the tokens of the mint that held the lock before.
  const [key] = await db.$queryRawUnsafe<(Omit<ActiveKey, "scopes"> & { scopes: string[] })[]>(
    `SELECT id, agent_id AS "agentId", scopes, expires_at AS "expiresAt",
       date_trunc('milliseconds', COALESCE($3::timestamptz, now())) AS now
     FROM api_key WHERE workspace_id = $1::uuid AND id = $2::uuid`,
    ...[ctx.workspaceId, apiKeyId, ctx.now],
  );
  if (locked.length === 0 || key === undefined) {
    throw new DomainError("invalid_token", "The API key is revoked or has expired.");
  }
  return { ...key, scopes: new Set(key.scopes.filter(isScope)) };
}
