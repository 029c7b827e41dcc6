import { NOW, sql } from "../../db/sql.ts";
import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import {
  type AuditCheckpoint,
  FIRST_CHECKPOINT_DIGEST,
  checkpointDigest,
  signCheckpoint,
} from "./audit-checkpoint.ts";
import type { AuditSigner } from "./signature.ts";
import { keepCheckpoint, readKeptCheckpoint } from "./kept-checkpoint.ts";
import { readCheckpoint } from "./read-checkpoint.ts";
import { CHECKPOINT_COLUMNS, type StoredCheckpoint, toCheckpoint } from "./stored-checkpoint.ts";

/** The services for writing checkpoints. */
export type CheckpointServices = {
  database: Database;
  log: Logger;
  signer: AuditSigner;
  /** The newest checkpoint of each workspace is also kept here, outside the database. */
  dataDir: string;
  /** The time of new checkpoints. Only in tests. */
  now: Date | null;
};

/** Which checkpoints are due. */
export type DueCheckpoints = {
  /** Workspaces with a younger checkpoint are skipped. */
  olderThanMinutes: number;
  /** Only this workspace. Default: all. */
  workspaceId?: string;
  /** Ends the run after the current batch. */
  signal?: AbortSignal;
};

/** A workspace whose log differs from its newest checkpoint, with that checkpoint. */
type Due = Omit<StoredCheckpoint, "number"> & {
  workspace: string;
  headSeq: bigint;
  headHash: string;
  number: bigint | null;
  at: Date;
};

/** Workspaces per batch. */
const BATCH = 200;
const NIL_UUID = "00000000-0000-0000-0000-000000000000";

/**
 * Signs the audit logs that have grown since their newest checkpoint. Any number of nodes may run it at
 * once: only one can write a checkpoint with the same number.
 *
 * Logs an error if a log ends before its newest checkpoint, or if a kept checkpoint is missing from the
 * database; the kept copy is not replaced then.
 *
 * @returns the number of checkpoints written.
 */
export async function writeCheckpoints(services: CheckpointServices, due: DueCheckpoints): Promise<number> {
  let after = NIL_UUID;
  let written = 0;
  while (due.signal?.aborted !== true) {
    const batch = await readDue(services, due, after);
    const last = batch.at(-1);
    if (last === undefined) break;
    written += await writeBatch(services, batch);
    after = last.workspace;
  }
  return written;
}

async function readDue(
  { database, now }: CheckpointServices,
  { olderThanMinutes, workspaceId }: DueCheckpoints,
  after: string,
): Promise<Due[]> {
  return database.run(DUE, [after, olderThanMinutes, workspaceId ?? null, now]);
}

const DUE = sql<Due>`
SELECT h.workspace_id AS workspace, h.audit_seq AS "headSeq", encode(h.audit_hash, 'hex') AS "headHash",
       t.at, ${CHECKPOINT_COLUMNS}
FROM workspace_head h
CROSS JOIN (SELECT date_trunc('milliseconds', ${NOW}) AS at) t
LEFT JOIN LATERAL (
  SELECT * FROM audit_checkpoint k WHERE k.workspace_id = h.workspace_id ORDER BY k.number DESC LIMIT 1
) c ON true
WHERE h.workspace_id > $1::uuid AND ($3::uuid IS NULL OR h.workspace_id = $3::uuid)
  AND h.audit_seq <> COALESCE(c.seq, 0) AND (c.created_at IS NULL OR c.created_at <= t.at - make_interval(mins => $2))
ORDER BY h.workspace_id LIMIT ${BATCH}`;

async function writeBatch(services: CheckpointServices, batch: readonly Due[]): Promise<number> {
  const checkpoints = batch.flatMap((due) => checkpointFor(services, due) ?? []);
  const values = [JSON.stringify(checkpoints)];
  const written = await services.database.run(INSERT, values);
  const ours = new Set(written.map(({ workspaceId }) => workspaceId));
  for (const checkpoint of checkpoints) {
    if (ours.has(checkpoint.workspace_id)) await keep(services, checkpoint);
  }
  return written.length;
}

/** Null if the log ends before its checkpoint: a new signature would hide that. */
function checkpointFor({ signer, log }: CheckpointServices, due: Due): AuditCheckpoint | null {
  const { workspace, headSeq, headHash, number, at } = due;
  const newest = number === null ? null : toCheckpoint({ ...due, number });
  const seq = Number(headSeq);
  if (newest !== null && seq < newest.seq) {
    log.error(
      { workspaceId: workspace, checkpoint: newest.number, checkpointSeq: newest.seq, auditSeq: seq },
      "the audit log ends before its newest checkpoint: rows were removed",
    );
    return null;
  }
  return signCheckpoint(signer, {
    workspace_id: workspace,
    number: (newest?.number ?? 0) + 1,
    seq,
    hash: headHash,
    previous: newest === null ? FIRST_CHECKPOINT_DIGEST : checkpointDigest(newest),
    created_at: at.toISOString(),
  });
}

const INSERT = sql<{ workspaceId: string }>`
INSERT INTO audit_checkpoint (workspace_id, number, seq, hash, previous, key, signature, created_at)
SELECT workspace_id, number, seq, decode(hash, 'hex'), decode(previous, 'hex'), key,
       decode(translate(signature, '-_', '+/') || '==', 'base64'), created_at
FROM jsonb_to_recordset($1::jsonb) AS c(
  workspace_id uuid, number bigint, seq bigint, hash text, previous text, key text, signature text, created_at timestamptz)
ON CONFLICT DO NOTHING
RETURNING workspace_id AS "workspaceId"`;

/** A kept copy that differs from the database is evidence, so it is not replaced. */
async function keep(services: CheckpointServices, checkpoint: AuditCheckpoint): Promise<void> {
  const { database, dataDir, log } = services;
  const { workspace_id: workspaceId } = checkpoint;
  try {
    const kept = await readKeptCheckpoint(dataDir, workspaceId);
    if (kept !== null && !(await isStored(database, kept))) {
      log.error(
        { workspaceId, checkpoint: kept.number },
        "a checkpoint of the audit log that this machine has kept is missing from the database",
      );
      return;
    }
    await keepCheckpoint(dataDir, checkpoint);
  } catch (error) {
    log.warn({ err: error, workspaceId }, "a checkpoint of the audit log could not be written to DATA_DIR");
  }
}

async function isStored({ run }: Database, kept: AuditCheckpoint): Promise<boolean> {
  const stored = await readCheckpoint(run, kept);
  return stored !== null && checkpointDigest(stored) === checkpointDigest(kept);
}
