import { sql } from "../../db/sql.ts";
import { API_KEY, buildExpiredSql } from "../../domain/credentials/validity-sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { DomainError, createNotFoundError } from "../../domain/kernel/errors.ts";

/** An API key's current row, locked. */
export type LockedKey = {
  id: string;
  agentId: string;
  lineageId: string;
  primary: boolean;
  name: string;
  scopes: string[];
  ipAllowlist: string[];
  expiresAt: Date | null;
  rotatedToId: string | null;
  revoked: boolean;
  expired: boolean;
};

/**
 * Locks an API key and all of its lineage, in a fixed order, until the transaction ends. No key of the
 * lineage can mint tokens meanwhile.
 *
 * @throws {DomainError} not_found.
 */
export async function lockLineage(
  { run, ctx }: Transaction,
  apiKeyId: string,
): Promise<{ key: LockedKey; lineage: LockedKey[] }> {
  const values = [ctx.workspaceId, apiKeyId];
  await run(LOCK_ROOT, values);
  // In a statement of its own, so that it sees a key created by a rotation that held the lock.
  const lineage = await run(LOCK_ALL, [ctx.workspaceId, apiKeyId]);
  const key = lineage.find(({ id }) => id === apiKeyId);
  if (key === undefined) throw createNotFoundError("API key");
  return { key, lineage };
}

const LINEAGE = "(SELECT lineage_id FROM api_key WHERE workspace_id = $1::uuid AND id = $2::uuid)";

/** Locking the first key locks the lineage. */
const LOCK_ROOT = sql`SELECT id FROM api_key WHERE workspace_id = $1::uuid AND id = ${LINEAGE} FOR UPDATE`;

const LOCK_ALL = sql<LockedKey>`
SELECT id, agent_id AS "agentId", lineage_id AS "lineageId", "primary", name, scopes,
  ip_allowlist AS "ipAllowlist", expires_at AS "expiresAt", rotated_to_id AS "rotatedToId",
  ${API_KEY.isRevoked} AS revoked, ${buildExpiredSql(API_KEY.expiresAt)} AS expired
FROM ${API_KEY.from} WHERE workspace_id = $1::uuid AND lineage_id = ${LINEAGE} ORDER BY id FOR UPDATE`;

/**
 * {@link lockLineage} for a valid key; returns the key.
 *
 * @throws {DomainError} not_found; invalid_state if the key is revoked or expired.
 */
export async function lockActiveKey(tx: Transaction, apiKeyId: string): Promise<LockedKey> {
  return (await lockActiveLineage(tx, apiKeyId)).key;
}

/**
 * {@link lockActiveKey} that returns the whole lineage.
 *
 * @throws {DomainError} not_found; invalid_state if the key is revoked or expired.
 */
export async function lockActiveLineage(
  tx: Transaction,
  apiKeyId: string,
): Promise<{ key: LockedKey; lineage: LockedKey[] }> {
  const { key, lineage } = await lockLineage(tx, apiKeyId);
  if (key.revoked) throw new DomainError("invalid_state", "The key is revoked.");
  if (key.expired) throw new DomainError("invalid_state", "The key has expired.");
  return { key, lineage };
}
