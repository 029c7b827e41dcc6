import type { Context } from "hono";
import { z } from "zod";
import { createValidationError, fieldErrors } from "../../src/domain/kernel/field-errors.ts";
import { LIMITS } from "../../src/domain/kernel/limits.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import type { AuthzenEnv, RequestBody } from "./authzen-app.ts";

const SearchGateway = graphql(`
  query SearchGateway($of: GatewaySearchedPart!, $requestText: String!, $first: Int, $after: String) {
    found: searchGateway(of: $of, requestText: $requestText, first: $first, after: $after) {
      names
      next
    }
  }
`);

/** What can be searched for, by the last segment of the path. */
const PARTS = { subject: "SUBJECT", resource: "RESOURCE", action: "ACTION" } as const;

export type SearchedPart = keyof typeof PARTS;

const shape = z.object({
  page: z
    .object({ token: z.string().optional(), limit: z.int().min(LIMITS.searchPage.min).optional() })
    .optional(),
});

type Asked = { part: SearchedPart; body: RequestBody };

/**
 * Searches subjects, resources or actions. The time that it takes counts against the rate limit.
 *
 * @see https://openid.net/specs/authorization-api-1_0.html#name-search-apis
 */
export async function search(c: Context<AuthzenEnv>, { part, body }: Asked): Promise<object> {
  const ctx = c.get("ctx");
  const parsed = shape.safeParse(body.value);
  if (!parsed.success) throw createValidationError(fieldErrors(parsed.error));
  const { page } = parsed.data;
  // An empty token is that of a last page: there is none before the first one either.
  const after = page?.token === "" ? null : (page?.token ?? null);
  const given = { of: PARTS[part], requestText: body.text, first: page?.limit ?? null, after };
  const { names, next } = (await execute(ctx, SearchGateway, given)).found;
  const place = page === undefined && next === null ? {} : { page: { next_token: next ?? "" } };
  const { type } = toEntity(body.value[part]);
  return { ...place, results: names.map((name) => (part === "action" ? { name } : { type, id: name })) };
}

function toEntity(value: unknown): { type?: unknown } {
  return isObject(value) ? value : {};
}
