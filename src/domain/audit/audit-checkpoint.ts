import { createHash } from "node:crypto";
import { z } from "zod";
import { type AuditSigner, signWith, signatureShape, toSignedText } from "./signature.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const place = z.int().min(1);

/** A checkpoint as it is signed, kept and exported. */
export const checkpointShape = z.object({
  type: z.literal("audit_checkpoint"),
  workspace_id: z.uuid(),
  /** 1, 2, 3 and so on, without a hole. */
  number: place,
  /** The last row of the audit log then, and its hash. */
  seq: place,
  hash: sha256,
  /** The digest of the checkpoint before this one; zeros for the first. */
  previous: sha256,
  created_at: z.string(),
  ...signatureShape,
});

/** What a workspace's audit log was at a time, signed. Hashes are hex. */
export type AuditCheckpoint = z.output<typeof checkpointShape>;

/** The digest before the first checkpoint of a workspace. */
export const FIRST_CHECKPOINT_DIGEST = "0".repeat(64);

/** Signs what a workspace's audit log is. */
export function signCheckpoint(
  signer: AuditSigner,
  said: Omit<AuditCheckpoint, "type" | "key" | "signature">,
): AuditCheckpoint {
  return signWith(signer, { type: "audit_checkpoint", ...said });
}

/** What the next checkpoint names this one by: SHA-256 over what it signs, as hex. */
export function checkpointDigest(checkpoint: AuditCheckpoint): string {
  return createHash("sha256").update(toSignedText(checkpoint)).digest("hex");
}
