import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireRole } from "../kernel/guard.ts";
import { type AuditCheckpoint, FIRST_CHECKPOINT_DIGEST, checkpointDigest } from "./audit-checkpoint.ts";
import type { AuditPosition } from "./audit-mark.ts";
import { readCheckpoint } from "./read-checkpoint.ts";
import { isSigned } from "./signature.ts";
import { CHECKPOINT_COLUMNS, type StoredCheckpoint, toCheckpoint } from "./stored-checkpoint.ts";

/**
 * Problems of a checkpoint: its key is not trusted, its signature is invalid, it is missing from the
 * database, a different one has its number, it does not follow the previous one, or the row that it signs
 * differs or is missing.
 */
export type CheckpointProblem =
  | "unknown_key"
  | "bad_signature"
  | "missing"
  | "replaced"
  | "broken_link"
  | "row_changed"
  | "row_missing";

/** An invalid checkpoint. `seq` is the row that it signs; null if the checkpoint is unknown. */
export type BadCheckpoint = {
  number: number;
  seq: number | null;
  key: string | null;
  problem: CheckpointProblem;
};

/** The number of valid checkpoints, the newest of them, and the problem of the next one. */
export type CheckpointVerdict = {
  count: number;
  newest: AuditCheckpoint | null;
  firstBad: BadCheckpoint | null;
};

/** What checkpoints are verified against. */
export type CheckpointTrust = {
  /** The trusted public keys in base64url. */
  keys: ReadonlySet<string>;
  /** Checkpoints that were kept outside the database. */
  kept?: Iterable<AuditCheckpoint> | AsyncIterable<AuditCheckpoint>;
  /** Up to where verifyAudit found the log deleted by retention: those rows may be missing. */
  deleted?: AuditPosition | null;
};

/** A checkpoint with the hash of the row that it signs; null if that is missing. */
type Checked = StoredCheckpoint & { rowHash: string | null };

type Trust = Required<Pick<CheckpointTrust, "keys" | "deleted">>;

const BATCH = 500;

/**
 * Verifies the checkpoints of the workspace's audit log against the log, each other, and copies that were
 * kept outside the database. verifyAudit verifies the log itself.
 *
 * @throws {DomainError} forbidden below admin.
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

/** A log is deleted up to a checkpoint, which must name the same last row. */
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
