import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireRole } from "../kernel/guard.ts";
import { type AuditCheckpoint, FIRST_CHECKPOINT_DIGEST, checkpointDigest } from "./audit-checkpoint.ts";
import type { AuditPosition } from "./audit-mark.ts";
import { readCheckpoint } from "./read-checkpoint.ts";
import { isSigned } from "./signature.ts";
import { CHECKPOINT_COLUMNS, type StoredCheckpoint, toCheckpoint } from "./stored-checkpoint.ts";

/**
 * What can be wrong with a checkpoint: no trusted key signed it, it is not what was signed, it is not in the
 * database, another has its number there, it does not follow the one before it, or the row of the log that it
 * signs is another or gone.
 */
export type CheckpointProblem =
  | "unknown_key"
  | "bad_signature"
  | "missing"
  | "replaced"
  | "broken_link"
  | "row_changed"
  | "row_missing";

/** A checkpoint that does not hold. `seq` is the row that it signs, null where the checkpoint is not known. */
export type BadCheckpoint = {
  number: number;
  seq: number | null;
  key: string | null;
  problem: CheckpointProblem;
};

/** How many checkpoints hold, from the first on, the newest of them, and what is wrong with the next. */
export type CheckpointVerdict = {
  count: number;
  newest: AuditCheckpoint | null;
  firstBad: BadCheckpoint | null;
};

/** Against what checkpoints are held. */
export type CheckpointTrust = {
  /** The public keys whose checkpoints count, as base64url. */
  keys: ReadonlySet<string>;
  /** Checkpoints that were kept outside the database. */
  kept?: Iterable<AuditCheckpoint> | AsyncIterable<AuditCheckpoint>;
  /** Up to where verifyAudit found that the log was deleted after its days: those rows need not be there. */
  deleted?: AuditPosition | null;
};

/** A checkpoint and the hash of the log's row that it signs; null where there is none. */
type Checked = StoredCheckpoint & { rowHash: string | null };

type Trust = Required<Pick<CheckpointTrust, "keys" | "deleted">>;

const BATCH = 500;

/**
 * Holds the checkpoints of the workspace's audit log against the log, against each other, and against those
 * that were kept outside the database. Whether the log holds in itself is verifyAudit's.
 *
 * @throws {DomainError} forbidden for less than an admin.
 */
export async function verifyCheckpoints(
  ctx: Ctx,
  { keys, kept = [], deleted = null }: CheckpointTrust,
): Promise<CheckpointVerdict> {
  requireRole(ctx, "admin");
  const stored = await verifyStored(ctx, { keys, deleted });
  if (stored.firstBad !== null) return stored;
  if (deleted !== null && stored.count < deleted.checkpoint) {
    const { checkpoint: number, seq } = deleted;
    return { ...stored, firstBad: { number, seq, key: null, problem: "missing" } };
  }
  for await (const one of kept) {
    const problem = signatureProblem(one, keys) ?? (await keptProblem(ctx, one));
    if (problem !== null) return { ...stored, firstBad: toBadCheckpoint(one, problem) };
  }
  return stored;
}

async function verifyStored(ctx: Ctx, trust: Trust): Promise<CheckpointVerdict> {
  let newest: AuditCheckpoint | null = null;
  for (;;) {
    const count: number = newest?.number ?? 0;
    const rows: Checked[] = await ctx.read(BATCH_AFTER, [ctx.workspaceId, count]);
    if (rows.length === 0) return { count, newest, firstBad: null };
    for (const row of rows) {
      const checkpoint = toCheckpoint(row);
      const firstBad = findProblem(newest, { checkpoint, rowHash: row.rowHash }, trust);
      if (firstBad !== null) return { count: newest?.number ?? 0, newest, firstBad };
      newest = checkpoint;
    }
  }
}

const BATCH_AFTER = sql<Checked>`
SELECT ${CHECKPOINT_COLUMNS}, encode(a.hash, 'hex') AS "rowHash"
FROM audit_checkpoint c LEFT JOIN audit_event a ON a.workspace_id = c.workspace_id AND a.seq = c.seq
WHERE c.workspace_id = $1::uuid AND c.number > $2::bigint ORDER BY c.number LIMIT ${BATCH}`;

function findProblem(
  before: AuditCheckpoint | null,
  { checkpoint, rowHash }: { checkpoint: AuditCheckpoint; rowHash: string | null },
  { keys, deleted }: Trust,
): BadCheckpoint | null {
  const number = (before?.number ?? 0) + 1;
  if (checkpoint.number !== number) return { number, seq: null, key: null, problem: "missing" };
  const problem =
    signatureProblem(checkpoint, keys) ??
    linkProblem(before, checkpoint) ??
    deletedProblem(checkpoint, deleted) ??
    rowProblem(checkpoint, { rowHash, deleted });
  return problem === null ? null : toBadCheckpoint(checkpoint, problem);
}

function signatureProblem(checkpoint: AuditCheckpoint, keys: ReadonlySet<string>): CheckpointProblem | null {
  if (!keys.has(checkpoint.key)) return "unknown_key";
  return isSigned(checkpoint) ? null : "bad_signature";
}

function linkProblem(
  before: AuditCheckpoint | null,
  { seq, previous }: AuditCheckpoint,
): CheckpointProblem | null {
  const follows = before === null ? FIRST_CHECKPOINT_DIGEST : checkpointDigest(before);
  return previous === follows && seq > (before?.seq ?? 0) ? null : "broken_link";
}

/** A log is deleted up to a checkpoint, so that one knows the same last row. */
function deletedProblem(
  { number, seq, hash }: AuditCheckpoint,
  deleted: AuditPosition | null,
): CheckpointProblem | null {
  if (deleted?.checkpoint !== number) return null;
  return seq === deleted.seq && hash === deleted.hash ? null : "row_changed";
}

function rowProblem(
  { seq, hash }: AuditCheckpoint,
  { rowHash, deleted }: { rowHash: string | null; deleted: AuditPosition | null },
): CheckpointProblem | null {
  if (rowHash === null) return seq <= (deleted?.seq ?? 0) ? null : "row_missing";
  return rowHash === hash ? null : "row_changed";
}

async function keptProblem(ctx: Ctx, kept: AuditCheckpoint): Promise<CheckpointProblem | null> {
  const stored = await readCheckpoint(ctx.read, { workspace_id: ctx.workspaceId, number: kept.number });
  if (stored === null) return "missing";
  return checkpointDigest(stored) === checkpointDigest(kept) ? null : "replaced";
}

function toBadCheckpoint({ number, seq, key }: AuditCheckpoint, problem: CheckpointProblem): BadCheckpoint {
  return { number, seq, key, problem };
}
