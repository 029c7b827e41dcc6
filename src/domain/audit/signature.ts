import canonicalize from "canonicalize";
import { createPublicKey, verify } from "node:crypto";
import { z } from "zod";

/** Signs with a key that is not in the database. */
export type AuditSigner = {
  /** The Ed25519 public key: 32 bytes in base64url. */
  key: string;
  /** The public keys whose signatures are trusted: its own and earlier ones. */
  trusted: ReadonlySet<string>;
  /** Signs a text. @returns 64 bytes in base64url. */
  sign: (text: string) => string;
};

/** The fields that are added to every signed object. */
export const signatureShape = {
  /** The Ed25519 public key: 32 bytes in base64url. */
  key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /** Over the canonical JSON of all other fields, in base64url. */
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
};

type Signature = { key: string; signature: string };

/** Signs an object. Its `type` distinguishes it from other kinds of signed objects. */
export function signWith<Said extends { type: string }>(signer: AuditSigner, said: Said): Said & Signature {
  const unsigned = { ...said, key: signer.key };
  return { ...unsigned, signature: signer.sign(toSignedText(unsigned)) };
}

/**
 * Verifies the signature against the object's own key. Whether that key is trusted is a separate question.
 */
export function isSigned(signed: Signature): boolean {
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: signed.key };
    const key = createPublicKey({ key: jwk, format: "jwk" });
    return verify(null, Buffer.from(toSignedText(signed)), key, Buffer.from(signed.signature, "base64url"));
  } catch {
    // The 32 bytes are not a point on the curve.
    return false;
  }
}

/** @see https://www.rfc-editor.org/rfc/rfc8785 */
export function toSignedText(signed: object): string {
  const { signature: _signature, ...said }: { signature?: unknown } = signed;
  return canonicalize(said) ?? "";
}
