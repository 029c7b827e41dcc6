import { createHash } from "node:crypto";
import { type JWTPayload, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { WorkloadTrust } from "../../db/generated/client.ts";
import { matchGlob, parseGlob } from "../../domain/kernel/glob.ts";
import { type IssuerKeys, IssuerError } from "./issuer-keys.ts";
import type { ClaimPattern } from "./workload-trust-input.ts";

/** What a trust accepts. `claimPatterns` are a list of {@link ClaimPattern}. */
export type TrustRules = Pick<
  WorkloadTrust,
  "workspaceId" | "issuer" | "audience" | "claimPatterns" | "jwksUri" | "jwks"
>;

/** An issuer's token that a trust accepts. `subject` is for people, and can be stored. */
export type Assertion = { subject: string; digest: Uint8Array<ArrayBuffer>; expiresAt: Date };

/** Why a token is not accepted, for the audit log. `isTemporary`: whether it may be accepted later. */
export type Refusal = { reason: string; subject: string | null; isTemporary: boolean };

/** The most characters of a token. */
export const ASSERTION_LENGTH = 16_384;

/** Only with keys that come in pairs: for others, whoever verifies could sign. */
export const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"],
];
const SUBJECT_LENGTH = 200;
/** How far clocks may differ. */
const SKEW_SECONDS = 60;
/** How old a token may be, and how long it may still be valid. */
const AGE_SECONDS = 86_400;

/**
 * Verifies an issuer's token. Its claims are looked at first, so that strangers can't have the issuer asked.
 *
 * @see RFC 7523, 3; RFC 8725.
 */
export async function verifyAssertion(
  token: string,
  trust: TrustRules,
  { issuerKeys, now }: { issuerKeys: IssuerKeys; now: Date },
): Promise<Assertion | Refusal> {
  const read = readUnverified(token);
  if (read === null) return refuse("malformed", null);
  const { payload: unverified, alg } = read;
  const subject = describeSubject(unverified);
  if (!ALGORITHMS.includes(alg)) return refuse("algorithm", subject);
  const problem = findClaimProblem(unverified, trust, now);
  if (problem !== null) return refuse(problem, subject);
  try {
    const { payload } = await jwtVerify(
      token,
      (header, input) => issuerKeys.find({ ...trust, holder: trust.workspaceId }, header, input),
      // Times are looked at with the claims.
      { algorithms: ALGORITHMS, currentDate: now, clockTolerance: SKEW_SECONDS },
    );
    const different = findClaimProblem(payload, trust, now);
    return different === null ? toAssertion(token, payload) : refuse(different, subject);
  } catch (error) {
    if (error instanceof IssuerError)
      return { ...refuse(`issuer: ${error.message}`, subject), isTemporary: true };
    if (error instanceof errors.JOSEError) return refuse(toReason(error), subject);
    // WebCrypto's own, for a key that is none.
    if (error instanceof DOMException || error instanceof TypeError) return refuse("key", subject);
    throw error;
  }
}

function describeSubject({ sub }: JWTPayload): string | null {
  if (typeof sub !== "string") return null;
  return sub.slice(0, SUBJECT_LENGTH).replaceAll("\0", "").toWellFormed();
}

function refuse(reason: string, subject: string | null): Refusal {
  return { reason, subject, isTemporary: false };
}

function toReason(error: errors.JOSEError): string {
  if (error instanceof errors.JWKSNoMatchingKey) return "unknown_key";
  return error instanceof errors.JWSSignatureVerificationFailed ? "signature" : error.code;
}

function readUnverified(token: string): { payload: JWTPayload; alg: string } | null {
  try {
    return { payload: decodeJwt(token), alg: decodeProtectedHeader(token).alg ?? "none" };
  } catch {
    return null;
  }
}

/** Null if the trust accepts the claims. */
function findClaimProblem(
  payload: JWTPayload,
  { issuer, audience, claimPatterns }: TrustRules,
  now: Date,
): string | null {
  if (payload.iss !== issuer) return "issuer";
  // One audience alone: the others could present the token here too.
  const audiences = [payload.aud ?? []].flat();
  if (audiences.length !== 1 || audiences[0] !== audience) return "audience";
  const time = findTimeProblem(payload, now.getTime() / 1000);
  if (time !== null) return time;
  // Written by createWorkloadTrust and updateWorkloadTrust alone.
  const patterns = claimPatterns as ClaimPattern[];
  const other = patterns.find(({ claim, pattern }) => !fits(getClaim(payload, claim), pattern));
  return other === undefined ? null : `claim ${other.claim}`;
}

function findTimeProblem({ exp, nbf, iat }: JWTPayload, now: number): string | null {
  if (typeof exp !== "number") return "expiry";
  if (exp + SKEW_SECONDS <= now) return "expired";
  if (exp > now + AGE_SECONDS) return "valid_too_long";
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= now + SKEW_SECONDS)) return "not_yet_valid";
  if (iat === undefined) return null;
  if (typeof iat !== "number" || iat > now + SKEW_SECONDS) return "not_yet_valid";
  return now - iat > AGE_SECONDS ? "too_old" : null;
}

function getClaim(payload: JWTPayload, claim: string): unknown {
  return Object.hasOwn(payload, claim) ? payload[claim] : undefined;
}

function fits(value: unknown, pattern: string): boolean {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return false;
  const glob = parseGlob(pattern);
  return typeof glob !== "string" && matchGlob(glob, String(value));
}

/** A token without an id is known by itself, without its signature: some algorithms sign the same in many ways. */
function toAssertion(token: string, payload: JWTPayload): Assertion {
  const { jti, exp } = payload;
  const id = typeof jti === "string" ? `jti ${jti}` : `token ${token.slice(0, token.lastIndexOf("."))}`;
  const digest = new Uint8Array(createHash("sha256").update(id).digest());
  return {
    subject: describeSubject(payload) ?? "",
    digest,
    expiresAt: new Date(((exp ?? 0) + SKEW_SECONDS) * 1000),
  };
}
