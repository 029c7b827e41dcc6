import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { buildChallenge } from "../../src/auth/identify.ts";
import { DomainError, ERRORS, type ErrorCode } from "../../src/domain/kernel/errors.ts";
import { toDomainError } from "../../src/domain/kernel/to-domain-error.ts";
import type { ScimEnv } from "./scim-app.ts";
import { SCIM_JSON, URNS } from "./urns.ts";

/** Where SCIM's status or type differs from our other APIs. @see RFC 7644, 3.12. */
const SCIM_ERRORS: Partial<Record<ErrorCode, { status?: number; scimType?: string }>> = {
  validation_failed: { status: 400, scimType: "invalidValue" },
  invalid_parameter: { scimType: "invalidValue" },
  invalid_body: { scimType: "invalidSyntax" },
  invalid_filter: { scimType: "invalidFilter" },
  invalid_count: { scimType: "invalidCount" },
  invalid_cursor: { scimType: "invalidCursor" },
  invalid_path: { scimType: "invalidPath" },
  no_target: { scimType: "noTarget" },
  immutable_attribute: { scimType: "mutability" },
  already_exists: { scimType: "uniqueness" },
  id_conflict: { scimType: "uniqueness" },
  // Such as for the last owner: tells the identity provider why, and not to try again.
  invalid_state: { status: 400, scimType: "mutability" },
  // A malformed Authorization header counts as no credential.
  invalid_request: { status: 401 },
};

/** The body of an error response. @see RFC 7644, 3.12. */
export type ErrorBody = { schemas: string[]; status: string; scimType?: string; detail: string };

/** Converts an error to a SCIM error. Unexpected errors show no details. */
export function toScimError(error: unknown): { shown: DomainError; status: number; body: ErrorBody } {
  const shown = toDomainError(error) ?? new DomainError("internal", "Something went wrong on our side.");
  const { status = ERRORS[shown.code].status, scimType } = SCIM_ERRORS[shown.code] ?? {};
  const body = {
    schemas: [URNS.error],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail: shown.message,
  };
  return { shown, status, body };
}

/** Builds the response for an error thrown by a route. */
export function answerError(
  error: unknown,
  c: Context<ScimEnv>,
  headers: Record<string, string> = {},
): Response {
  if (toDomainError(error) === null) c.get("log").error({ err: error }, "request failed");
  const { shown, status, body } = toScimError(error);
  const challenge = buildChallenge(shown);
  // All statuses in the table allow a body.
  return c.body(JSON.stringify(body), status as ContentfulStatusCode, {
    "content-type": SCIM_JSON,
    "cache-control": "no-store",
    ...(challenge !== null && { "www-authenticate": challenge }),
    ...(shown.code === "method_not_allowed" && { allow: "POST" }),
    ...(shown.code === "unavailable" && { "retry-after": "2" }),
    // The rest of the body isn't read, so the connection can't be reused.
    ...(shown.code === "payload_too_large" && { connection: "close" }),
    ...headers,
  });
}
