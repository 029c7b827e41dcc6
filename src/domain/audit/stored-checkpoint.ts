import type { AuditCheckpoint } from "./audit-checkpoint.ts";

/** A row of the table, as {@link CHECKPOINT_COLUMNS} reads it. */
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

/** What a SELECT of checkpoints, named `c`, reads of them. */
export const CHECKPOINT_COLUMNS = `
  c.workspace_id AS "workspaceId", c.number, c.seq, encode(c.hash, 'hex') AS hash,
  encode(c.previous, 'hex') AS previous, c.key, c.signature, c.created_at AS "createdAt"`;

/** The checkpoint that a row holds. */
export function toCheckpoint(row: StoredCheckpoint): AuditCheckpoint {
  const { hash, previous, key } = row;
  return {
    ...{ type: "audit_checkpoint", workspace_id: row.workspaceId },
    ...{ number: Number(row.number), seq: Number(row.seq), hash, previous },
    ...{ created_at: row.createdAt.toISOString(), key, signature: row.signature.toString("base64url") },
  };
}
