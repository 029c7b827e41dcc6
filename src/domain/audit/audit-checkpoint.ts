import { createHash } from "node:crypto";
import { z } from "zod";
import { type AuditSigner, signWith, signatureShape, toSignedText } from "./signature.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const place = z.int().min(1);

/** A checkpoint as it is signed, stored and exported. */
export const checkpointShape = z.object({
  type: z.literal("audit_checkpoint"),
  workspace_id: z.uuid(),
  /** 1, 2, 3 and so on, without gaps. */
  number: place,
  /** The last row of the audit log at that time, and its hash. */
  seq: place,
  hash: sha256,
  /** The digest of the previous checkpoint; zeros for the first. */
  previous: sha256,
  created_at: z.string(),
  ...signatureShape,
});

/** A signed state of a workspace's audit log. Hashes are in hex. */
export type AuditCheckpoint = z.output<typeof checkpointShape>;

/** The previous digest of a workspace's first checkpoint. */
export const FIRST_CHECKPOINT_DIGEST = "0".repeat(64);

export function signCheckpoint(
  signer: AuditSigner,
  said: Omit<AuditCheckpoint, "type" | "key" | "signature">,
): AuditCheckpoint {
  return signWith(signer, { type: "audit_checkpoint", ...said });
}

/** Returns the SHA-256 of a checkpoint's signed content in hex. The next checkpoint includes it. */
export function checkpointDigest(checkpoint: AuditCheckpoint): string {
  return createHash("sha256").update(toSignedText(checkpoint)).digest("hex");
}
