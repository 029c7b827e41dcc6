import canonicalize from "canonicalize";
import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";

/** Signs with a key that the database does not hold. */
export type AuditSigner = {
  /** The Ed25519 public key, 32 bytes as base64url. */
  key: string;
  /** The public keys whose signatures count: its own, and those that it took the place of. */
  trusted: ReadonlySet<string>;
  /** Signs a text. @returns 64 bytes as base64url. */
  sign: (text: string) => string;
};

/** What everything signed has beside what it says. */
export const signatureShape = {
  /** The Ed25519 public key, 32 bytes as base64url. */
  key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** Over the canonical JSON of all the other members, as base64url. */
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
};

type Signature = { key: string; signature: string };

/** Signs an object. Its `type` tells what is said from everything else that the key signs. */
export function signWith<Said extends { type: string }>(signer: AuditSigner, said: Said): Said & Signature {
  const unsigned = { ...said, key: signer.key };
  return { ...unsigned, signature: signer.sign(toSignedText(unsigned)) };
}

/** Whether the key that it names has signed it. Whose key that is, is another question. */
export function isSigned(signed: Signature): boolean {
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: signed.key };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verify(null, Buffer.from(toSignedText(signed)), key, Buffer.from(signed.signature, "base64url"));
  } catch {
    // 32 bytes that are no point of the curve.
    return false;
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc8785 */
export function toSignedText(signed: object): string {
  const { signature: _signature, ...said }: { signature?: unknown } = signed;
  return canonicalize(said) ?? "";
}
