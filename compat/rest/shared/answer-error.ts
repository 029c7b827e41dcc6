import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { buildChallenge } from "../../../src/auth/identify.ts";
import {
  DomainError,
  ERRORS,
  type ExceededQuota,
  type HeldToken,
} from "../../../src/domain/kernel/errors.ts";
import { toDomainError } from "../../../src/domain/kernel/to-domain-error.ts";
import { type Problem, answerProblem } from "../../../src/http/problem.ts";
import { toWireName, toWirePath } from "../../../src/http/wire-name.ts";
import type { RestEnv } from "./rest-app.ts";

/**
 * Builds the response for an error thrown by a route: a problem for a `DomainError`, or a 500 that shows only
 * the request id.
 */
export function answerError(
  error: unknown,
  c: Context<RestEnv>,
  headers: Record<string, string> = {},
): Response {
  const domainError = toDomainError(error) ?? findLibraryError(error);
  if (domainError === null) c.get("log").error({ err: error }, "request failed");
  const shown = domainError ?? new DomainError("internal", "Something went wrong on our side.");
  return answerProblem(c, toProblem(shown), { ...getErrorHeaders(shown, c), ...headers });
}

/** Errors thrown by Hono itself, such as for a body that can't be read. */
function findLibraryError(error: unknown): DomainError | null {
  if (!(error instanceof HTTPException) || error.status >= 500) return null;
  return error.status === 415
    ? new DomainError("unsupported_media_type", "This route doesn't accept the body's media type.")
    : new DomainError("invalid_body", "The body can't be read.");
}

function toProblem({ code, message, details }: DomainError): Problem {
  // Unknown fields and invalid parameters are quoted as the caller spelled them.
  const isWires = code === "unknown_field" || code === "invalid_parameter";
  const [toName, toField] = isWires ? [String, String] : [toWireName, toWirePath];
  return {
    ...ERRORS[code],
    code,
    // A message about a field begins with its name; the rest may quote the caller's own text.
    detail: message.replace(/^[A-Za-z]+/, toName),
    ...(details.field !== undefined && { field: toField(details.field) }),
    ...(details.oldestCursor !== undefined && { oldest_cursor: details.oldestCursor }),
    ...(details.errors !== undefined && {
      errors: details.errors.map(({ field, detail }) => ({ field: toField(field), detail })),
    }),
    ...(details.budget !== undefined && { budget: details.budget }),
    ...(details.retryAfterSeconds !== undefined && { retry_after_s: details.retryAfterSeconds }),
    ...(details.executionId !== undefined && { execution_id: details.executionId }),
    ...(details.currentStatus !== undefined && { current_status: details.currentStatus }),
    ...(details.allowed !== undefined && { allowed: details.allowed }),
    ...(details.quota !== undefined && { quota: quotaJson(details.quota) }),
    ...(details.tokens !== undefined && { tokens: details.tokens.map(tokenJson) }),
  };
}

function quotaJson({ name, limit, used, resetsInSeconds }: ExceededQuota) {
  return { name, limit, used, resets_in_s: resetsInSeconds };
}

function tokenJson({ id, name, createdAt, expiresAt, lastUsedAt }: HeldToken) {
  return { id, name, created_at: createdAt, expires_at: expiresAt, last_used_at: lastUsedAt };
}

function getErrorHeaders(error: DomainError, c: Context<RestEnv>): Record<string, string> {
  const challenge = buildChallenge(error);
  return {
    ...(challenge !== null && { "www-authenticate": challenge }),
    ...(typeof error.details.retryAfterSeconds === "number" && {
      "retry-after": `${error.details.retryAfterSeconds}`,
    }),
    ...(error.code === "unavailable" && { "retry-after": "2" }),
    ...(error.code === "rate_limited" && {
      // The rate limit has set it.
      "retry-after": c.res.headers.get("retry-after") ?? `${error.details.retryAfterSeconds ?? 1}`,
    }),
    // The rest of the body isn't read, so the connection can't be reused.
    ...(error.code === "payload_too_large" && { connection: "close" }),
  };
}
