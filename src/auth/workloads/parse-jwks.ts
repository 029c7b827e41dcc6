import { createLocalJWKSet } from "jose";
import { isObject } from "../../domain/kernel/is-object.ts";

/** The most bytes of an issuer's answer. */
export const JWKS_BYTES = 65_536;
/** The most keys of an issuer. */
export const JWKS_KEYS = 100;

/** Finds the key of a token by its header. */
export type FindKey = ReturnType<typeof createLocalJWKSet>;

/** Reads a set of keys. Returns null for anything else, or too many keys. @see RFC 7517, 5. */
export function parseJwks(value: unknown): FindKey | null {
  if (!isObject(value) || !Array.isArray(value["keys"]) || value["keys"].length > JWKS_KEYS) return null;
  if (!value["keys"].every(isObject)) return null;
  // jose checks each key when it is used.
  return createLocalJWKSet({ keys: value["keys"] });
}
