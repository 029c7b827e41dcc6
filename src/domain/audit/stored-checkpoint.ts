import type { AuditCheckpoint } from "./audit-checkpoint.ts";

/** A row of the table, read with {@link CHECKPOINT_COLUMNS}. */
export type StoredCheckpoint = {
  workspaceId: string;
  number: bigint;
  seq: bigint;
  hash: string;
  previous: string;
  key: string;
  signature: Buffer;
  createdAt: Date;
};

/** The columns of a StoredCheckpoint, for a SELECT from checkpoints named `c`. */
export const CHECKPOINT_COLUMNS = `
  c.workspace_id AS "workspaceId", c.number, c.seq, encode(c.hash, 'hex') AS hash,
  encode(c.previous, 'hex') AS previous, c.key, c.signature, c.created_at AS "createdAt"`;

export function toCheckpoint(row: StoredCheckpoint): AuditCheckpoint {
  const { hash, previous, key } = row;
  return {
    type: "audit_checkpoint",
    workspace_id: row.workspaceId,
    number: Number(row.number),
    seq: Number(row.seq),
    hash,
    previous,
    created_at: row.createdAt.toISOString(),
    key,
    signature: row.signature.toString("base64url"),
  };
}
