import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { buildChallenge } from "../../src/auth/identify.ts";
import { DomainError, ERRORS, type ErrorCode } from "../../src/domain/kernel/errors.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import type { AuthzenEnv } from "./authzen-app.ts";

/** What AuthZEN has no status of its own for. */
const BAD_REQUESTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "validation_failed",
  "unsupported_media_type",
  "idempotency_mismatch",
]);

/** The status and message of an error. Paths begin at the request, which is the whole body here. */
export function toAuthzenError({ code, message }: Pick<DomainError, "code" | "message">): {
  status: number;
  message: string;
} {
  const status = BAD_REQUESTS.has(code) ? 400 : ERRORS[code].status;
  return { status, message: message.replace(/^request\./, "") };
}

/**
 * Builds the response for an error thrown by a route: its body is a JSON string.
 *
 * @see https://openid.net/specs/authorization-api-1_0.html#name-error-responses
 */
export function answerError(
  error: unknown,
  c: Context<AuthzenEnv>,
  headers: Record<string, string> = {},
): Response {
  const known = toDomainError(error);
  if (known === null) c.get("log").error({ err: error }, "request failed");
  const shown = known ?? new DomainError("internal", "Something went wrong on our side.");
  const { status, message } = toAuthzenError(shown);
  const challenge = buildChallenge(shown);
  // All statuses of errors allow a body.
  return c.body(JSON.stringify(message), status as ContentfulStatusCode, {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...(challenge !== null && { "www-authenticate": challenge }),
    ...(shown.code === "unavailable" && { "retry-after": "2" }),
    // The rest of the body isn't read, so the connection can't be reused.
    ...(shown.code === "payload_too_large" && { connection: "close" }),
    ...headers,
  });
}
