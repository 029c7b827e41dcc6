import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import type { Context } from "hono";
import { requireIdempotencyKey } from "../../src/domain/kernel/idempotency-key.ts";
import { type AuthzenEnv, type RequestBody, readRequestId } from "./authzen-app.ts";

/**
 * Makes the same request with the same Idempotency-Key do nothing a second time. Bodies are the same if they are the
 * same JSON.
 *
 * @throws {DomainError} invalid_parameter.
 */
export function honourIdempotencyKey(c: Context<AuthzenEnv>, body: RequestBody): void {
  const given = c.req.header("idempotency-key");
  if (given === undefined) return;
  c.get("ctx").idempotency = { key: requireIdempotencyKey(given), requestHash: hashBody(c, body) };
}

/**
 * {@link honourIdempotencyKey}, or without one the X-Request-ID, which may be the same for different requests.
 *
 * @throws {DomainError} invalid_parameter.
 */
export function honourRequestId(c: Context<AuthzenEnv>, body: RequestBody): void {
  honourIdempotencyKey(c, body);
  const ctx = c.get("ctx");
  const id = readRequestId(c);
  if (ctx.idempotency !== null || id === null) return;
  const requestHash = hashBody(c, body);
  const key = createHash("sha256").update(id).update(requestHash).digest("hex");
  // With a space, which the header's value can't have.
  ctx.idempotency = { key: `request ${key}`, requestHash };
}

function hashBody({ req }: Context<AuthzenEnv>, body: RequestBody): Uint8Array<ArrayBuffer> {
  const request = `${req.method} ${req.path}\n${toCanonicalText(body)}`;
  return new Uint8Array(createHash("sha256").update(request).digest());
}

/** What has no canonical form, such as a number beyond 1.8e308, is no valid request either. */
function toCanonicalText({ value, text }: RequestBody): string {
  try {
    return canonicalize(value) ?? text;
  } catch {
    return text;
  }
}
