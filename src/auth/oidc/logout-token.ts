import { createHash } from "node:crypto";
import { type JWTPayload, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from "jose";
import { isObject } from "../../domain/kernel/is-object.ts";
import { type IssuerKeys, IssuerError } from "../workloads/issuer-keys.ts";
import { TokenRequestError } from "../workloads/token-request-error.ts";
import { ALGORITHMS } from "../workloads/verify-assertion.ts";

/** Whom a logout token logs out: a person everywhere, one session, or a person in one session. */
export type LogoutToken = {
  issuer: string;
  clientId: string;
  subject: string | null;
  sid: string | null;
  /** Of the token's id. */
  digest: Uint8Array<ArrayBuffer>;
  expiresAt: Date;
};

/** The most characters of a logout token. */
const TOKEN_LENGTH = 16_384;
const TEXT_LENGTH = 2000;
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
const SKEW_SECONDS = 60;
/** How old a token may be, and how long it may still be valid. */
const AGE_SECONDS = 3600;

/**
 * Reads what a logout token says, without believing it.
 *
 * @throws {TokenRequestError} invalid_request
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation
 */
export function readLogoutToken(token: string, now: Date): LogoutToken {
  if (token.length > TOKEN_LENGTH) throw createRefusal("The logout token is too long.");
  const { payload, alg } = decode(token);
  if (!ALGORITHMS.includes(alg)) throw createRefusal("The logout token's algorithm is not accepted.");
  const { events, nonce } = payload;
  if (nonce !== undefined) throw createRefusal("A logout token must have no nonce.");
  if (!isObject(events) || !isObject(events[EVENT])) {
    throw createRefusal(`events must have the member ${EVENT}.`);
  }
  const [issuer, jti, clientId] = [getText(payload, "iss"), getText(payload, "jti"), getClientId(payload)];
  if (issuer === null || jti === null || clientId === null) {
    throw createRefusal("iss, jti and one aud are required.");
  }
  const [subject, sid] = [getText(payload, "sub"), getText(payload, "sid")];
  if (subject === null && sid === null) throw createRefusal("sub or sid is required.");
  const digest = new Uint8Array(createHash("sha256").update(jti).digest());
  return { issuer, clientId, subject, sid, digest, expiresAt: requireTimes(payload, now) };
}

function decode(token: string): { payload: JWTPayload; alg: string } {
  try {
    return { payload: decodeJwt(token), alg: decodeProtectedHeader(token).alg ?? "none" };
  } catch {
    throw createRefusal("logout_token is not a JWT.");
  }
}

function getClientId({ aud }: JWTPayload): string | null {
  const [clientId, ...others] = [aud ?? []].flat();
  return others.length > 0 ? null : requireText(clientId, "aud");
}

function getText(payload: JWTPayload, claim: string): string | null {
  return requireText(Object.hasOwn(payload, claim) ? payload[claim] : undefined, claim);
}

/** Text that can be stored; null for none. */
function requireText(value: unknown, claim: string): string | null {
  if (value === undefined) return null;
  const isText = typeof value === "string" && value !== "" && value.length <= TEXT_LENGTH;
  if (!isText || value.includes("\0") || !value.isWellFormed()) {
    throw createRefusal(`${claim} must be a text of at most ${TEXT_LENGTH} characters.`);
  }
  return value;
}

/** @returns when the token is refused as expired. */
function requireTimes({ iat, exp }: JWTPayload, at: Date): Date {
  const now = at.getTime() / 1000;
  if (typeof iat !== "number" || typeof exp !== "number") {
    throw createRefusal("iat and exp are required.");
  }
  if (exp + SKEW_SECONDS <= now || iat < now - AGE_SECONDS) {
    throw createRefusal("The logout token has expired.");
  }
  if (iat > now + SKEW_SECONDS || exp > now + AGE_SECONDS) {
    throw createRefusal("The logout token is of the future, or valid for longer than an hour.");
  }
  return new Date((exp + SKEW_SECONDS) * 1000);
}

/**
 * Verifies the signature of a logout token by the keys of its issuer, which is asked seldom, whatever is sent, and for
 * no workspace: others may name the same provider, and have silent ones.
 *
 * @throws {TokenRequestError} invalid_request
 */
export async function verifyLogoutToken(
  token: string,
  { issuer }: LogoutToken,
  { issuerKeys, now }: { issuerKeys: IssuerKeys; now: Date },
): Promise<void> {
  const source = { holder: issuer, issuer, jwksUri: null, jwks: null };
  try {
    await jwtVerify(token, (header, input) => issuerKeys.find(source, header, input), {
      algorithms: ALGORITHMS,
      currentDate: now,
      clockTolerance: SKEW_SECONDS,
    });
  } catch (error) {
    if (error instanceof IssuerError) throw createRefusal("The issuer's keys can't be had now.");
    const isKey = error instanceof DOMException || error instanceof TypeError;
    if (!isKey && !(error instanceof errors.JOSEError)) throw error;
    throw createRefusal("The logout token's signature can't be verified.");
  }
}

/** Its reason is for whoever runs the provider. */
export function createRefusal(reason: string): TokenRequestError {
  return new TokenRequestError("invalid_request", reason);
}
