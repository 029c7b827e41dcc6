import { z } from "@hono/zod-openapi";
import type { Scope } from "../../src/domain/scopes.ts";

const TITLES = {
  400: "A parameter, a header or the body can't be read",
  401: "No credential, or one that is not valid",
  403: "The credential may not do this",
  404: "There is no such thing in the workspace",
  409: "It can't be done in this state",
  410: "Events after the cursor are gone",
  412: "It has changed since the ETag that If-Match names",
  413: "The body is too large",
  415: "The body is not JSON",
  422: "The body breaks a rule",
  429: "Too many requests in this second",
  500: "A fault of ours, logged under the request id",
  503: "The service can't work at this moment",
} as const;

/** What any route may answer. */
const ANYWHERE = [429, 500, 503] as const;

const problem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    field: z.string().optional(),
    errors: z.array(z.strictObject({ field: z.string(), detail: z.string() })).optional(),
    oldest_cursor: z.string().optional(),
    current_status: z.string().optional(),
    allowed: z.array(z.string()).optional(),
    request_id: z.string(),
  })
  .openapi("Problem", { description: "RFC 9457" });

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
export function problems(...statuses: (keyof typeof TITLES)[]): Record<number, Declared> {
  return Object.fromEntries(
    [...statuses, ...ANYWHERE].map((status) => [
      status,
      { description: TITLES[status], content: { "application/problem+json": { schema: problem } } },
    ]),
  );
}

/** What a route wants to see: a bearer, with a scope where one is named. */
export function bearer(...scopes: Scope[]): { bearer: string[] }[] {
  return [{ bearer: scopes }];
}

/** What an operator's route wants to see: a bearer with a scope, or the session of a person. */
export function bearerOrSession(scope: Scope): Record<string, string[]>[] {
  return [...bearer(scope), { session: [] }];
}
