import { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../src/domain/errors.ts";
import type { Scope } from "../../src/domain/scopes.ts";

/** What a refusal means, and the codes by which it tells why. */
type Refusal = { title: string; codes: readonly ErrorCode[] };

const REFUSALS = {
  400: {
    title: "A parameter, a header or the body can't be read",
    codes: ["invalid_parameter", "invalid_body", "invalid_request", "invalid_scope"],
  },
  401: { title: "No credential, or one that is not valid", codes: ["unauthenticated", "invalid_token"] },
  403: {
    title: "The credential may not do this",
    codes: ["insufficient_scope", "forbidden", "api_key_required", "workspace_suspended", "ip_not_allowed"],
  },
  404: { title: "There is no such thing in the workspace", codes: ["not_found"] },
  409: {
    title: "It can't be done in this state",
    codes: [
      ...["invalid_state", "lease_lost", "not_a_robot", "id_conflict", "idempotency_conflict"],
      ...["already_exists", "token_limit"],
    ],
  },
  410: { title: "Events after the cursor are gone", codes: ["cursor_expired"] },
  412: { title: "It has changed since the ETag that If-Match names", codes: ["precondition_failed"] },
  413: { title: "The body is too large", codes: ["payload_too_large"] },
  415: { title: "The body is not JSON, or it is compressed", codes: ["unsupported_media_type"] },
  422: { title: "The body breaks a rule", codes: ["validation_failed", "idempotency_mismatch"] },
  429: { title: "Too many requests in this second", codes: ["rate_limited"] },
  500: { title: "A fault of ours, logged under the request id", codes: ["internal"] },
  503: { title: "The service can't work at this moment", codes: ["unavailable"] },
} as const satisfies Record<number, Refusal>;

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
    request_id: z.string().openapi({ description: "Names the request in our logs." }),
  })
  .openapi("Problem", { description: "RFC 9457." });

/** A response as a route declares it. Its schema is held against real answers by the tests, not by types. */
type Declared = { description: string };

/** An answer with a JSON body of this shape. */
export function answer(description: string, schema: z.ZodType): Declared {
  const declared = { description, content: { "application/json": { schema } } };
  return declared;
}

/** The answer to a caller whose If-None-Match still holds. */
export const notModified: Declared = { description: "Unchanged since the ETag that If-None-Match names" };

/** The refusals that a route can give. */
export function problems(...statuses: (keyof typeof REFUSALS)[]): Record<number, Declared> {
  return Object.fromEntries(
    [...statuses, ...ANYWHERE].map((status) => [
      status,
      {
        description: descriptionOf(REFUSALS[status]),
        content: { "application/problem+json": { schema: problem } },
      },
    ]),
  );
}

function descriptionOf({ title, codes }: Refusal): string {
  return `${title}: ${codes.map((code) => `\`${code}\``).join(", ")}`;
}

/** What a route wants to see: a bearer, with a scope where one is named. */
export function bearer(...scopes: Scope[]): { bearer: string[] }[] {
  return [{ bearer: scopes }];
}

/** What an operator's route wants to see: a bearer with a scope, or the session of a person. */
export function bearerOrSession(scope: Scope): Record<string, string[]>[] {
  return [...bearer(scope), { session: [] }];
}
