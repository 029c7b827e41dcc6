import { z } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode } from "../../../src/domain/kernel/errors.ts";
import type { Scope } from "../../../src/domain/kernel/scopes.ts";
import { dateTime, uuid } from "./shapes.ts";

/** What a refusal means, and the codes by which every route with such refusals tells why. */
type ErrorDescription = { title: string; codes: readonly ErrorCode[] };

const ERRORS_BY_STATUS = {
  400: {
    title: "A parameter, a header or the body can't be read",
    codes: ["invalid_request"],
  },
  401: { title: "No credential, or one that is not valid", codes: ["unauthenticated", "invalid_token"] },
  403: {
    title: "The credential may not do this",
    codes: ["insufficient_scope", "forbidden", "workspace_suspended", "ip_not_allowed"],
  },
  404: { title: "There is no such thing in the workspace", codes: ["not_found"] },
  409: { title: "It can't be done in this state", codes: [] },
  410: { title: "Events after the cursor are gone", codes: ["cursor_expired"] },
  412: { title: "It has changed since the ETag that If-Match names", codes: ["precondition_failed"] },
  413: { title: "The body is too large", codes: ["payload_too_large"] },
  415: { title: "The body is not JSON, or it is compressed", codes: ["unsupported_media_type"] },
  422: { title: "The body breaks a rule", codes: ["validation_failed", "unknown_field"] },
  429: { title: "Too many requests in this second, or too many that wait", codes: ["rate_limited"] },
  500: { title: "A fault of ours, logged under the request id", codes: ["internal"] },
  503: { title: "The service can't work at this moment", codes: ["unavailable"] },
} as const satisfies Record<number, ErrorDescription>;

/** What any route may answer. */
const ANYWHERE = [429, 500, 503] as const;

const problem = z
  .strictObject({
    type: z.string().openapi({ description: "The address of a page that says what the code means." }),
    title: z.string(),
    status: z.int(),
    detail: z.string().openapi({ description: "For people." }),
    code: z.string().openapi({ description: "For programs: each answer names its own. More may come." }),
    field: z
      .string()
      .optional()
      .openapi({ description: "The first of what is wrong, such as `input.0.text`." }),
    errors: z
      .array(z.strictObject({ field: z.string(), detail: z.string() }))
      .optional()
      .openapi({ description: "All that is wrong with the input." }),
    oldest_cursor: z.string().optional().openapi({ description: "With `cursor_expired`: where to go on." }),
    current_status: z
      .string()
      .optional()
      .openapi({ description: "With `invalid_state` and `lease_lost`: where it stands." }),
    allowed: z
      .array(z.string())
      .optional()
      .openapi({ description: "With `invalid_state`: the statuses in which it can be done." }),
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
      .openapi({ description: "With `token_limit`: the oldest tokens that the agent has." }),
    request_id: z.string().openapi({ description: "Names the request in our logs." }),
  })
  .openapi("Problem", { description: "RFC 9457." });

/** A response as a route declares it. Its schema is held against real answers by the tests, not by types. */
type Declared = { description: string };

/** An answer with a JSON body of this shape. */
export function jsonResponse(description: string, schema: z.ZodType): Declared {
  const declared = { description, content: { "application/json": { schema } } };
  return declared;
}

/** The answer to a caller whose If-None-Match still holds. */
export const notModified: Declared = { description: "Unchanged since the ETag that If-None-Match names" };

type Status = keyof typeof ERRORS_BY_STATUS;

/** A code that only some of the routes with its status answer, and so name. */
type Named = {
  [Code in ErrorCode]: (typeof ERRORS)[Code]["status"] extends Status ? Code : never;
}[ErrorCode];

/** What a route that honours Idempotency-Key refuses beside the rest. */
export const IDEMPOTENT = ["invalid_parameter", "idempotency_conflict", "idempotency_mismatch"] as const;

/** The refusals that a route can give: those of a status that all such routes have, or one by its code. */
export function problems(...kinds: (Exclude<Status, 409> | Named)[]): Record<number, Declared> {
  const named = kinds.filter((kind) => typeof kind === "string");
  // Whatever has a body can't read every body.
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
 * What a route wants to see: a bearer, with a scope where one is named. OpenAPI 3.1 lets it stand here for every type
 * of scheme; Spectral's oas3-operation-security-defined still warns of that.
 *
 * @see https://spec.openapis.org/oas/v3.1.0#security-requirement-object
 * @see https://github.com/stoplightio/spectral/issues/2643
 */
export function bearer(...scopes: Scope[]): { bearer: string[] }[] {
  return [{ bearer: scopes }];
}

/** What an operator's route wants to see: a bearer with a scope, or the session of a person. */
export function bearerOrSession(scope: Scope): Record<string, string[]>[] {
  return [...bearer(scope), { session: [] }];
}
