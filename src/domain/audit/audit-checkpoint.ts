import canonicalize from "canonicalize";
import { createHash, createPublicKey, verify } from "node:crypto";
import { z } from "zod";

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
  /** The Ed25519 public key, 32 bytes as base64url. */
  key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** Over the canonical JSON of all the other members, as base64url. */
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
});

/** What a workspace's audit log was at a time, signed. Hashes are hex. */
export type AuditCheckpoint = z.output<typeof checkpointShape>;

/** Signs checkpoints with a key that the database does not hold. */
export type AuditSigner = {
  /** The public key, 32 bytes as base64url. */
  key: string;
  /** Signs a text. @returns 64 bytes as base64url. */
  sign: (text: string) => string;
};

/** The digest before the first checkpoint of a workspace. */
export const FIRST_CHECKPOINT_DIGEST = "0".repeat(64);

/** Signs what a workspace's audit log is. */
export function signCheckpoint(
  signer: AuditSigner,
  said: Omit<AuditCheckpoint, "type" | "key" | "signature">,
): AuditCheckpoint {
  const unsigned = { type: "audit_checkpoint", ...said, key: signer.key } as const;
  return { ...unsigned, signature: signer.sign(signedText(unsigned)) };
}

/** Whether the key that a checkpoint names has signed it. Whose key that is, is another question. */
export function isSigned(checkpoint: AuditCheckpoint): boolean {
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: checkpoint.key };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verify(
      null,
      Buffer.from(signedText(checkpoint)),
      key,
      Buffer.from(checkpoint.signature, "base64url"),
    );
  } catch {
    // 32 bytes that are no point of the curve.
    return false;
  }
}

/** What the next checkpoint names this one by: SHA-256 over what it signs, as hex. */
export function checkpointDigest(checkpoint: AuditCheckpoint): string {
  return createHash("sha256").update(signedText(checkpoint)).digest("hex");
}

/** @see https://www.rfc-editor.org/rfc/rfc8785 */
function signedText(checkpoint: Omit<AuditCheckpoint, "signature"> & { signature?: string }): string {
  const { signature: _signature, ...said } = checkpoint;
  return canonicalize(said) ?? "";
}
