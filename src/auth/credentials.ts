import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** The prefix of each kind of bearer. */
const PREFIXES = { api_key: "agk_", agent_token: "agt_", socket_token: "ags_", scim_token: "agp_" } as const;

export type BearerKind = keyof typeof PREFIXES;

/** A new secret: its text, returned only here, and what is stored of it. */
export type Secret = { secret: string; digest: Uint8Array<ArrayBuffer>; last4: string };

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 characters of base62 hold 256 bits. */
const SECRET_LENGTH = 43;
const PUBLIC_ID_LENGTH = 16;
const CHECKSUM_LENGTH = 6;
const API_KEY = /^agk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/;
const TOKEN = /^(agt_|ags_|agp_)[0-9A-Za-z]{49}$/;

/**
 * Creates a secret of 256 random bits.
 *
 * @returns `<prefix><43 base62 characters><checksum of 6>`.
 */
export function createToken(kind: Exclude<BearerKind, "api_key">): Secret {
  return toSecret(PREFIXES[kind] + createRandomBase62(SECRET_LENGTH));
}

/** Creates an API key: `agk_<public id of 16>.<43 base62 characters><checksum of 6>`. */
export function createApiKeySecret(): Secret & { publicId: string } {
  const publicId = createRandomBase62(PUBLIC_ID_LENGTH);
  return { ...toSecret(`${PREFIXES.api_key}${publicId}.${createRandomBase62(SECRET_LENGTH)}`), publicId };
}

/**
 * Returns the kind of a well-formed bearer, or null. Checks the checksum, so that typing errors cost no
 * query.
 */
export function parseBearerKind(bearer: string): BearerKind | null {
  if (!API_KEY.test(bearer) && !TOKEN.test(bearer)) return null;
  const body = bearer.slice(0, -CHECKSUM_LENGTH);
  if (computeChecksum(body) !== bearer.slice(-CHECKSUM_LENGTH)) return null;
  for (const kind of ["api_key", "agent_token", "socket_token", "scim_token"] as const) {
    if (bearer.startsWith(PREFIXES[kind])) return kind;
  }
  return null;
}

/** Returns the SHA-256 digest that is stored of a secret. */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(secret, "utf8").digest());
}

function toSecret(body: string): Secret {
  const secret = body + computeChecksum(body);
  return { secret, digest: hashSecret(secret), last4: secret.slice(-4) };
}

function computeChecksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  while (rest > 0) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(CHECKSUM_LENGTH, "0");
}

function createRandomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(62))).join("");
}
