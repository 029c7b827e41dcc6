import { z } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode } from "../../../src/domain/kernel/errors.ts";
import type { Scope } from "../../../src/domain/kernel/scopes.ts";
import { dateTime, uuid } from "./shapes.ts";

/** What an error status means, and the codes that every route with this status can return. */
type ErrorDescription = { title: string; codes: readonly ErrorCode[] };

const ERRORS_BY_STATUS = {
  400: {
    title: "A parameter, a header or the body is malformed",
    codes: ["invalid_request"],
  },
  401: { title: "The credential is missing or invalid", codes: ["unauthenticated", "invalid_token"] },
  403: {
    title: "The credential doesn't allow this",
    codes: ["insufficient_scope", "forbidden", "workspace_suspended", "ip_not_allowed", "mfa_required"],
  },
  404: { title: "Not found in this workspace", codes: ["not_found"] },
  409: { title: "Not possible in the current state", codes: [] },
  410: { title: "The events after this cursor have been deleted", codes: ["cursor_expired"] },
  412: { title: "The resource no longer matches If-Match", codes: ["precondition_failed"] },
  413: { title: "The body is too large", codes: ["payload_too_large"] },
  415: { title: "The body is not JSON, or it is compressed", codes: ["unsupported_media_type"] },
  422: { title: "The body is invalid", codes: ["validation_failed", "unknown_field"] },
  429: { title: "Too many requests per second, or too many waiting requests", codes: ["rate_limited"] },
  500: { title: "Internal error, logged with the request id", codes: ["internal"] },
  503: { title: "The service is temporarily unavailable", codes: ["unavailable"] },
} as const satisfies Record<number, ErrorDescription>;

/** Statuses that every route can return. */
const ANYWHERE = [429, 500, 503] as const;

const problem = z
  .strictObject({
    type: z.string().openapi({ description: "URL of a page that explains the code." }),
    title: z.string(),
    status: z.int(),
    detail: z.string().openapi({ description: "Explanation for people." }),
    code: z.string().openapi({ description: "Error code for programs. New codes may be added." }),
    field: z.string().optional().openapi({ description: "The first invalid field, such as `input.0.text`." }),
    errors: z
      .array(z.strictObject({ field: z.string(), detail: z.string() }))
      .optional()
      .openapi({ description: "All invalid fields." }),
    oldest_cursor: z
      .string()
      .optional()
      .openapi({ description: "With `cursor_expired`: the oldest cursor that still works." }),
    budget: z
      .strictObject({
        id: uuid,
        name: z.string(),
        unit: z.enum(["usd", "tokens", "calls"]),
        limit: z.string(),
        used: z.string(),
        reserved: z.string(),
      })
      .optional()
      .openapi({ description: "With `budget_exceeded`: the budget without room. Dollars are decimals." }),
    retry_after_s: z.int().nullable().optional().openapi({
      description:
        "With `budget_exceeded`: seconds to the budget's next period. Null if waiting doesn't help. With a quota that is used up: seconds until it is free again.",
    }),
    quota: z
      .strictObject({
        name: z.enum(["agents", "tasks_per_day", "events_per_second", "storage_bytes", "spans_per_day"]),
        limit: z.int(),
        used: z.int(),
        resets_in_s: z.int().nullable(),
      })
      .optional()
      .openapi({
        description:
          "With `quota_exceeded` (403) and `rate_limited` (429): the workspace's quota that is used up. `resets_in_s` is null if waiting doesn't help.",
      }),
    execution_id: uuid.optional().openapi({ description: "With `already_executed`: the execution." }),
    current_status: z.string().optional().openapi({
      description: "With `invalid_state`, `lease_lost` and `already_executed`: the current status.",
    }),
    allowed: z
      .array(z.string())
      .optional()
      .openapi({ description: "With `invalid_state`: the statuses that allow it." }),
    tokens: z
      .array(
        z.strictObject({
          id: uuid,
          name: z.string().nullable(),
          created_at: dateTime,
          expires_at: dateTime,
          last_used_at: dateTime.nullable(),
        }),
      )
      .optional()
      .openapi({ description: "With `token_limit`: the agent's oldest tokens." }),
    request_id: z.string().openapi({ description: "Identifies the request in the service's logs." }),
  })
  .openapi("Problem", { description: "RFC 9457." });

/** A response as a route declares it. Tests, not types, check the schema against real responses. */
type Declared = { description: string };

/** A response with a JSON body. */
export function jsonResponse(description: string, schema: z.ZodType): Declared {
  const declared = { description, content: { "application/json": { schema } } };
  return declared;
}

/** A response with a JSON object on each line. */
export function linesResponse(description: string): Declared {
  const declared = { description, content: { "application/x-ndjson": { schema: z.string() } } };
  return declared;
}

/** The response when If-None-Match matches. */
export const notModified: Declared = { description: "Not modified: If-None-Match matches" };

type Status = keyof typeof ERRORS_BY_STATUS;

/** An error code that only some routes with its status can return, so that each of them names it. */
type Named = {
  [Code in ErrorCode]: (typeof ERRORS)[Code]["status"] extends Status ? Code : never;
}[ErrorCode];

/** Error codes of routes that accept Idempotency-Key. */
export const IDEMPOTENT = ["invalid_parameter", "idempotency_conflict", "idempotency_mismatch"] as const;

/** Declares a route's error responses: a status with its usual codes, or one specific code. */
export function problems(...kinds: (Exclude<Status, 409> | Named)[]): Record<number, Declared> {
  const named = kinds.filter((kind) => typeof kind === "string");
  // Every route with a body can return this.
  if (kinds.includes(415)) named.push("invalid_body");
  const statuses = [...kinds.filter((kind) => typeof kind === "number"), ...named.map(getStatus)];
  return Object.fromEntries(
    [...statuses, ...ANYWHERE].map((status) => {
      const codes = [
        ...ERRORS_BY_STATUS[status].codes,
        ...named.filter((code) => getStatus(code) === status),
      ];
      return [
        status,
        {
          description: `${ERRORS_BY_STATUS[status].title}: ${codes.map((code) => `\`${code}\``).join(", ")}`,
          content: { "application/problem+json": { schema: problem } },
        },
      ];
    }),
  );
}

function getStatus(code: Named): Status {
  return ERRORS[code].status;
}

/**
 * Requires a bearer, with the scopes if given. OpenAPI 3.1 allows scopes for every type of scheme, but Spectral's
 * oas3-operation-security-defined still warns about it.
 *
 * @see https://spec.openapis.org/oas/v3.1.0#security-requirement-object
 * @see https://github.com/stoplightio/spectral/issues/2643
 */
export function bearer(...scopes: Scope[]): { bearer: string[] }[] {
  return [{ bearer: scopes }];
}

/** Requires a bearer with the scope, or a user's session. */
export function bearerOrSession(scope: Scope): Record<string, string[]>[] {
  return [...bearer(scope), { session: [] }];
}
