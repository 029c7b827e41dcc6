import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { z } from "zod";
import { readCursorText, writeCursorText } from "../kernel/cursor-text.ts";
import { createFieldError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { entityType } from "../policies/policy-rule.ts";
import { type AccessRequest, parseAs, parseRequestJson, requestParts } from "./parse-request.ts";

/** What is searched for. */
export type SearchedPart = "subject" | "resource" | "action";

/** A search: a request whose searched part has no id yet, and the place of the page. */
export type Search = {
  asked: AccessRequest;
  /** The type that is searched for; null for actions. */
  type: string | null;
  /** Whether arguments are unknown, so that only scopes are matched. */
  isListing: boolean;
  limit: number;
  /** The last position of the page before; null for the first page. */
  after: string | null;
  hash: string;
};

const searched = z.object({ type: entityType }).transform(({ type }) => ({ type, id: "", properties: {} }));
const SHAPES = {
  subject: z.object({ ...requestParts, subject: searched }),
  resource: z.object({ ...requestParts, resource: searched }),
  action: z
    .object({ ...requestParts, action: z.unknown().optional() })
    .transform((asked) => ({ ...asked, action: { name: "", properties: {} } })),
};

/**
 * Parses a search. The id of what is searched for is ignored.
 *
 * @param page its `after` is only for the same request; its `limit` is at most 100.
 * @throws {DomainError} payload_too_large; invalid_body for text that is not JSON; validation_failed for
 *   values that could be understood in two ways, missing and invalid fields, and another search's `after`.
 * @see https://openid.net/specs/authorization-api-1_0.html#name-search-apis
 */
export function parseSearch(
  of: SearchedPart,
  json: string,
  page: { limit?: number | null | undefined; after?: string | null | undefined },
): Search {
  const asked = parseAs(SHAPES[of], parseRequestJson(json));
  const hash = hashSearch(of, asked);
  const place = typeof page.after === "string" ? readPlace(page.after) : null;
  const isAnother = place !== null && place.hash !== hash;
  const limit = Math.min(page.limit ?? place?.limit ?? LIMITS.searchPage.default, LIMITS.searchPage.max);
  if (isAnother || (place !== null && limit !== place.limit)) {
    throw createFieldError("after", "is for another request");
  }
  return {
    asked,
    type: of === "action" ? null : asked[of].type,
    isListing: asked.context["listing"] === true,
    limit,
    after: place?.position ?? null,
    hash,
  };
}

/** Writes where the next page begins. It grants nothing: whoever changes it skips or repeats results. */
export function writePlace({ hash, limit }: Pick<Search, "hash" | "limit">, position: string): string {
  return writeCursorText(`${hash}.${limit}.${position}`);
}

function readPlace(after: string): { hash: string; limit: number; position: string } {
  const [, hash, limit, position] = /^([\w-]{22})\.(\d{1,3})\.(.*)$/s.exec(readCursorText(after) ?? "") ?? [];
  if (hash === undefined || position === undefined) throw createFieldError("after", "is not valid");
  return { hash, limit: Number(limit), position };
}

function hashSearch(of: SearchedPart, { subject, action, resource, context }: AccessRequest): string {
  const text = canonicalize({ of, subject, action, resource, context }) ?? "";
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
