import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { openAuditKey } from "../../src/auth/audit-key/open-audit-key.ts";
import {
  type AuditCheckpoint,
  checkpointDigest,
  signCheckpoint,
} from "../../src/domain/audit/audit-checkpoint.ts";
import type { AuditSigner } from "../../src/domain/audit/signature.ts";
import { type CheckpointServices, writeCheckpoints } from "../../src/domain/audit/write-checkpoints.ts";
import type { TestServer } from "./server.ts";

/** A test's own key, in AUDIT_KEY's format. */
export function newAuditKey(): string {
  return randomBytes(32).toString("base64");
}

/** A signer with a test's own key, which has replaced earlier ones. */
export async function newSigner(...earlier: AuditSigner[]): Promise<AuditSigner> {
  const auditEarlierKeys = earlier.map(({ key }) => key);
  const own = { auditKey: newAuditKey(), auditEarlierKeys };
  const signer = await openAuditKey({ ...own, databaseUrl: null, dataDir: "" });
  if (signer === null) throw new Error("a key was given");
  return signer;
}

/** A node that signs with a key. Its new data folder is deleted with the test. */
export async function signingNode(server: TestServer, signer: AuditSigner): Promise<CheckpointServices> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "agent-ops-checkpoints-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return { ...server.services, signer, dataDir };
}

/** Signs a workspace's log as it is now. @returns the number of checkpoints written. */
export async function signNow(node: CheckpointServices, workspaceId: string): Promise<number> {
  return writeCheckpoints(node, { olderThanMinutes: 0, workspaceId });
}

/** Signs each row after the latest checkpoint separately, as if hours had passed between them. */
export async function signEachRow(
  { server, signer, workspaceId }: { server: TestServer; signer: AuditSigner; workspaceId: string },
  newest: AuditCheckpoint | null,
): Promise<void> {
  if (newest === null) throw new Error("there is no checkpoint to follow");
  const rows = await server.database.query<{ seq: string; hash: string }>(
    `SELECT seq, encode(hash, 'hex') AS hash FROM audit_event WHERE workspace_id = $1 AND seq > $2 ORDER BY seq`,
    [workspaceId, newest.seq],
  );
  let before = newest;
  const signed = rows.map((row) => {
    before = signCheckpoint(signer, {
      ...{ workspace_id: workspaceId, number: before.number + 1, seq: Number(row.seq), hash: row.hash },
      ...{ previous: checkpointDigest(before), created_at: before.created_at },
    });
    return { ...before, signature: Buffer.from(before.signature, "base64url").toString("hex") };
  });
  await server.database.query(
    `INSERT INTO audit_checkpoint (workspace_id, number, seq, hash, previous, key, signature, created_at)
     SELECT workspace_id, number, seq, decode(hash, 'hex'), decode(previous, 'hex'), key,
            decode(signature, 'hex'), created_at
     FROM jsonb_to_recordset($1::jsonb) AS c(workspace_id uuid, number bigint, seq bigint, hash text, previous text,
       key text, signature text, created_at timestamptz)`,
    [JSON.stringify(signed)],
  );
}
