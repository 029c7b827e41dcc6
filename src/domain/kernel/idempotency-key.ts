import { DomainError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

const KEY = /^[\x21-\x7e]+$/;

/**
 * Checks the value of an Idempotency-Key header.
 *
 * @throws {DomainError} invalid_parameter.
 */
export function requireIdempotencyKey(key: string): string {
  if (key.length <= LIMITS.idempotencyKeyLength && KEY.test(key)) return key;
  const message = `Idempotency-Key must be 1 to ${LIMITS.idempotencyKeyLength} visible ASCII characters.`;
  throw new DomainError("invalid_parameter", message, { field: "Idempotency-Key" });
}
