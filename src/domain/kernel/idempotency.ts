import { NOW, sql } from "../../db/sql.ts";
import type { Actor } from "./actor.ts";
import type { Transaction } from "./context.ts";
import { DomainError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

/**
 * Stores a request's Idempotency-Key with the id that the request creates, in the same transaction.
 *
 * @returns the id created by an earlier request with this key, or null if this is the first.
 * @throws {DomainError} idempotency_mismatch if the key was used for a different request;
 *   idempotency_conflict while the first request is running.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
 */
export async function claimIdempotencyKey(tx: Transaction, subjectId: string): Promise<string | null> {
  const { ctx, run } = tx;
  const owner = getKeyOwner(ctx.actor);
  if (ctx.idempotency === null || owner === null) return null;
  const { key, requestHash } = ctx.idempotency;
  // The lock is held until the end of the transaction, so if it is taken, the first request is still running.
  const [lock] = await run(LOCK, [`${ctx.workspaceId} ${owner.id} ${owner.lineageId} ${key}`]);
  if (lock?.free !== true) {
    throw new DomainError(
      "idempotency_conflict",
      "A request with this Idempotency-Key is still in progress. Try again later.",
    );
  }
  const values = [ctx.workspaceId, owner.id, owner.lineageId, key, requestHash, subjectId];
  const [kept] = await run(KEEP, values);
  if (kept?.same === false) {
    throw new DomainError(
      "idempotency_mismatch",
      "This Idempotency-Key was used for a different request. Use a new key.",
    );
  }
  return kept === undefined || kept.subjectId === subjectId ? null : kept.subjectId;
}

/** Makes the request's Idempotency-Key lead to what the request gave, where that is known only after the claim. */
export async function moveIdempotencyKey({ ctx, run }: Transaction, subjectId: string): Promise<void> {
  const owner = getKeyOwner(ctx.actor);
  if (ctx.idempotency === null || owner === null) return;
  await run(MOVE, [ctx.workspaceId, owner.id, owner.lineageId, ctx.idempotency.key, subjectId]);
}

const MOVE = sql`
UPDATE idempotency_key SET subject_id = $5::uuid
WHERE workspace_id = $1::uuid AND owner_id = $2::uuid AND lineage_id = $3::uuid AND key = $4`;

/**
 * The owner of an Idempotency-Key. An agent's access tokens share keys if their API keys are of the same
 * lineage.
 */
export function getKeyOwner(actor: Actor): { id: string; lineageId: string } | null {
  switch (actor.type) {
    case "agent":
      return { id: actor.id, lineageId: actor.credential.lineageId };
    case "user":
    case "scim":
      return { id: actor.id, lineageId: actor.id };
    case "system":
      return null;
  }
}

const LOCK = sql<{ free: boolean }>`SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free`;

/** Inserts the key, or replaces an expired row, or keeps a valid one; returns the row. */
const KEEP = sql<{ subjectId: string; same: boolean }>`
INSERT INTO idempotency_key AS kept (workspace_id, owner_id, lineage_id, key, request_hash, subject_id, created_at)
VALUES ($1::uuid, $2::uuid, $3::uuid, $4, $5, $6::uuid, ${NOW})
ON CONFLICT (workspace_id, owner_id, lineage_id, key) DO UPDATE SET (request_hash, subject_id, created_at) = (
  SELECT n.request_hash, n.subject_id, n.created_at
  FROM (VALUES (EXCLUDED.request_hash, EXCLUDED.subject_id, EXCLUDED.created_at, true),
               (kept.request_hash, kept.subject_id, kept.created_at, false)) AS n(request_hash, subject_id, created_at, fresh)
  WHERE n.fresh = (kept.created_at <= EXCLUDED.created_at - interval '${LIMITS.idempotencyHours} hours')
)
RETURNING subject_id AS "subjectId", request_hash = $5 AS same`;
