import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "./context.ts";
import { DomainError } from "./errors.ts";
import { getKeyOwner } from "./idempotency.ts";
import { LIMITS } from "./limits.ts";

/** A request with an Idempotency-Key, and the id that it would create. */
export type KeyClaim = { caller: Ctx; subjectId: string };

/** What is known of a caller's Idempotency-Key: what an earlier request created, or why it can't be used. */
export type FoundKey = { subjectId: string } | { error: DomainError };

type Key = { ownerId: string; lineageId: string; key: string; requestHash: string; subjectId: string };

/**
 * Finds which requests of a batch were made before. Their keys are locked until the transaction ends.
 *
 * @returns what is known of callers' keys. Those that are missing are new, or have no key.
 * @see claimIdempotencyKey
 */
export async function findIdempotencyKeys(
  { ctx, run }: Transaction,
  claims: readonly KeyClaim[],
): Promise<ReadonlyMap<Ctx, FoundKey>> {
  const found = new Map<Ctx, FoundKey>();
  const keys = new Map<string, { caller: Ctx; key: Key }>();
  for (const { caller, subjectId } of claims) {
    const key = toKey(caller, subjectId);
    if (key === null) continue;
    const name = toLockName(ctx.workspaceId, key);
    if (keys.has(name)) found.set(caller, { error: createConflictError() });
    else keys.set(name, { caller, key });
  }
  if (keys.size === 0) return found;
  const asked = JSON.stringify(Array.from(keys.values(), ({ key }) => key));
  // Read in a statement of its own, so that it sees what was committed before the locks.
  const [locks, stored] = await Promise.all([
    run(LOCK, [[...keys.keys()]]),
    run(FIND, [ctx.workspaceId, asked]),
  ]);
  for (const { name, free } of locks) {
    const one = keys.get(name);
    if (one !== undefined && !free) found.set(one.caller, { error: createConflictError() });
  }
  for (const row of stored) {
    const one = keys.get(toLockName(ctx.workspaceId, row));
    if (one === undefined || found.has(one.caller)) continue;
    found.set(one.caller, row.same ? { subjectId: row.subjectId } : { error: createMismatchError() });
  }
  return found;
}

/** Stores the keys of requests that created something. They were looked up in this transaction. */
export async function keepIdempotencyKeys(
  { ctx, run }: Transaction,
  claims: readonly KeyClaim[],
): Promise<void> {
  const keys = claims.map(({ caller, subjectId }) => toKey(caller, subjectId)).filter((key) => key !== null);
  if (keys.length > 0) await run(KEEP, [ctx.workspaceId, JSON.stringify(keys)]);
}

function toKey({ actor, idempotency }: Ctx, subjectId: string): Key | null {
  const owner = getKeyOwner(actor);
  if (idempotency === null || owner === null) return null;
  const requestHash = Buffer.from(idempotency.requestHash).toString("hex");
  return { ownerId: owner.id, lineageId: owner.lineageId, key: idempotency.key, requestHash, subjectId };
}

function toLockName(
  workspaceId: string,
  { ownerId, lineageId, key }: Omit<Key, "requestHash" | "subjectId">,
): string {
  return `${workspaceId} ${ownerId} ${lineageId} ${key}`;
}

function createConflictError(): DomainError {
  return new DomainError(
    "idempotency_conflict",
    "A request with this Idempotency-Key is still in progress. Try again later.",
  );
}

function createMismatchError(): DomainError {
  return new DomainError(
    "idempotency_mismatch",
    "This Idempotency-Key was used for a different request. Use a new key.",
  );
}

const LOCK = sql<{ name: string; free: boolean }>`
SELECT k.name, pg_try_advisory_xact_lock(hashtextextended(k.name, 0)) AS free FROM unnest($1::text[]) AS k(name)`;

const COLUMNS = `jsonb_to_recordset($2::jsonb)
  AS a("ownerId" uuid, "lineageId" uuid, key text, "requestHash" text, "subjectId" uuid)`;

const FIND = sql<{ ownerId: string; lineageId: string; key: string; subjectId: string; same: boolean }>`
SELECT k.owner_id AS "ownerId", k.lineage_id AS "lineageId", k.key, k.subject_id AS "subjectId",
  k.request_hash = decode(a."requestHash", 'hex') AS same
FROM ${COLUMNS}
JOIN idempotency_key k ON k.workspace_id = $1::uuid AND k.owner_id = a."ownerId" AND k.lineage_id = a."lineageId"
  AND k.key = a.key
WHERE k.created_at > ${NOW} - interval '${LIMITS.idempotencyHours} hours'`;

/** Those that are stored are too old to count. */
const KEEP = sql`
INSERT INTO idempotency_key (workspace_id, owner_id, lineage_id, key, request_hash, subject_id, created_at)
SELECT $1::uuid, a."ownerId", a."lineageId", a.key, decode(a."requestHash", 'hex'), a."subjectId", ${NOW}
FROM ${COLUMNS}
ON CONFLICT (workspace_id, owner_id, lineage_id, key) DO UPDATE
SET request_hash = EXCLUDED.request_hash, subject_id = EXCLUDED.subject_id, created_at = EXCLUDED.created_at`;
