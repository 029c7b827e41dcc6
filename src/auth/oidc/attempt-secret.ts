import { createHash } from "node:crypto";
import { readCookies } from "../../http/cookies.ts";
import { serializeCookie } from "../vendor/lucia.ts";

/** What a browser's attempt sends and expects. Only the digest is stored. */
export type AttemptSecret = {
  digest: Uint8Array<ArrayBuffer>;
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
};

export const ATTEMPT_SECONDS = 600;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Derives the values of an attempt from 32 random bytes in base64url, which only the browser has. */
export function deriveAttempt(secret: string): AttemptSecret {
  return {
    digest: new Uint8Array(derive("digest", secret)),
    state: derive("state", secret).toString("base64url"),
    nonce: derive("nonce", secret).toString("base64url"),
    verifier: derive("verifier", secret).toString("base64url"),
  };
}

function derive(use: string, secret: string): Buffer {
  return createHash("sha256").update(`sign-in ${use} ${secret}`).digest();
}

/** A cookie of a secure page can't be set by pages of other hosts of its domain. */
function getName(secure: boolean): string {
  return secure ? "__Host-agent_ops_sign_in" : "_agent_ops_sign_in";
}

/** Reads the secret of the browser's attempt; null without exactly one. */
export function readAttemptCookie(header: string | undefined, secure: boolean): string | null {
  const [secret, ...others] = new Set(readCookies(header, getName(secure)));
  return secret !== undefined && others.length === 0 && SECRET.test(secret) ? secret : null;
}

/** Builds the Set-Cookie header that stores the secret of an attempt; null clears it. */
export function createAttemptCookie(secret: string | null, secure: boolean): string {
  const maxAge = secret === null ? 0 : ATTEMPT_SECONDS;
  return serializeCookie(getName(secure), secret ?? "", { secure, maxAge });
}
