import type { ScimFilter } from "../../src/domain/directory/filter.ts";
import { type ResourceTypeName, resolveAttribute } from "../../src/domain/directory/resource-types.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { getMember } from "./scim-app.ts";
import { readFilter } from "./filter-text.ts";
import { type Projection, toProjection } from "./projection.ts";
import { relativizeAddresses } from "./relativize-addresses.ts";

/** Default and maximum number of resources per page. */
export const SCIM_PAGE_SIZE = { default: 100, most: 200 } as const;

/** A list request. `count` is null if not given; `cursor` is null for index-based paging. */
export type ListRequest = {
  where: ScimFilter | null;
  sort: { path: string[]; descending: boolean } | null;
  count: number | null;
  startIndex: number;
  cursor: string | null;
  projection: Projection;
};

/** Returns a parameter as sent, or undefined. */
export type Parameters = (name: string) => unknown;

/** Parameters from the query of a URL. @see RFC 7644, 3.4.2. */
export function queryParameters(url: string): Parameters {
  const { searchParams } = new URL(url);
  return (name) => searchParams.get(name) ?? undefined;
}

/** Parameters from the body of a search, which have the same names. @see RFC 7644, 3.4.3. */
export function bodyParameters(body: Record<string, unknown>): Parameters {
  return (name) => getMember(body, name) ?? undefined;
}

/**
 * Parses a list request, where `base` is the base URL.
 *
 * @throws {DomainError} invalid_filter; invalid_count; invalid_parameter.
 * @see RFC 7644, 3.4.2; RFC 9865, 2.
 */
export function readListRequest(
  types: readonly ResourceTypeName[],
  parameters: Parameters,
  base: string,
): ListRequest {
  const filter = parseText("filter", parameters("filter"));
  const cursor = parseText("cursor", parameters("cursor"));
  return {
    where: filter === null ? null : relativizeAddresses(readFilter(types, filter), base),
    sort: parseSort(types, parameters),
    count: parseCount(parameters, cursor),
    startIndex: Math.min(Math.max(parseInteger("startIndex", parameters("startIndex")) ?? 1, 1), 2 ** 31 - 1),
    cursor,
    projection: readProjection(types, parameters),
  };
}

/**
 * Parses which attributes to return.
 *
 * @throws {DomainError} invalid_parameter.
 */
export function readProjection(types: readonly ResourceTypeName[], parameters: Parameters): Projection {
  return toProjection(types, {
    attributes: parseNames("attributes", parameters("attributes")),
    excludedAttributes: parseNames("excludedAttributes", parameters("excludedAttributes")),
  });
}

/** @see RFC 7644, 3.4.2.3. */
function parseSort(types: readonly ResourceTypeName[], parameters: Parameters): ListRequest["sort"] {
  const order = (parseText("sortOrder", parameters("sortOrder")) ?? "ascending").toLowerCase();
  if (order !== "ascending" && order !== "descending") {
    throw createParameterError("sortOrder", "must be ascending or descending");
  }
  const by = parseText("sortBy", parameters("sortBy"));
  if (by === null) return null;
  const path = types.map((type) => resolveAttribute(type, by)).find((found) => found !== null);
  if (path === undefined || path === null) throw createParameterError("sortBy", "is not an attribute");
  return { path, descending: order === "descending" };
}

function parseText(name: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === "string") return value;
  throw createParameterError(name, "must be a string");
}

function parseInteger(name: string, value: unknown): number | null {
  const number = toWholeNumber(value);
  if (number !== undefined) return number;
  throw createParameterError(name, "must be a whole number");
}

/** Null if not given, undefined if not an integer. */
function toWholeNumber(value: unknown): number | null | undefined {
  if (value === undefined || value === "") return null;
  const number = typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}

/** Negative counts become 0, larger ones the maximum. @see RFC 7644, 3.4.2.4. */
function parseCount(parameters: Parameters, cursor: string | null): number | null {
  const count = toWholeNumber(parameters("count"));
  if (count === null) return null;
  if (count !== undefined) return Math.min(Math.max(count, 0), SCIM_PAGE_SIZE.most);
  // RFC 9865, 2.1.
  if (cursor !== null)
    throw new DomainError("invalid_count", "count must be a whole number.", { field: "count" });
  throw createParameterError("count", "must be a whole number");
}

/** Comma-separated names, or a list of names. */
function parseNames(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  const given: unknown[] = Array.isArray(value) ? value : [value];
  return given
    .flatMap((each) => (parseText(name, each) ?? "").split(","))
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function createParameterError(name: string, detail: string): DomainError {
  return new DomainError("invalid_parameter", `${name} ${detail}.`, { field: name });
}
