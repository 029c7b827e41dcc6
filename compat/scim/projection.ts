import type { Attribute } from "../../src/domain/directory/attribute.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import {
  type ResourceTypeName,
  resolveAttribute,
  rootAttributes,
} from "../../src/domain/directory/resource-types.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";

/** Which attributes to return: only some, all but some, or those returned by default. */
export type Projection =
  | { show: "default" }
  /** `above` has the attributes that contain one of the paths. */
  | { show: "only"; paths: ReadonlySet<string>; above: ReadonlySet<string> }
  | { show: "allBut"; paths: ReadonlySet<string> };

/** More than there are, with and without their schema's URN. */
const NAMES_AT_MOST = 1000;

/**
 * Parses `attributes` and `excludedAttributes`. Unknown names are ignored.
 *
 * @throws {DomainError} invalid_parameter if both are given, or too many names.
 * @see RFC 7644, 3.4.2.5 and 3.9.
 */
export function toProjection(
  types: readonly ResourceTypeName[],
  { attributes, excludedAttributes }: { attributes: string[]; excludedAttributes: string[] },
): Projection {
  if (attributes.length > 0 && excludedAttributes.length > 0) {
    throw new DomainError("invalid_parameter", "Use either attributes or excludedAttributes, not both.");
  }
  const names = attributes.length > 0 ? attributes : excludedAttributes;
  if (names.length > NAMES_AT_MOST)
    throw new DomainError("invalid_parameter", `At most ${NAMES_AT_MOST} attributes can be named.`);
  const resolved = names.flatMap((name) => types.map((type) => resolveAttribute(type, name) ?? []));
  const paths = new Set(resolved.map(toKey));
  if (attributes.length > 0) return { show: "only", paths, above: new Set(resolved.flatMap(listAbove)) };
  return excludedAttributes.length > 0 ? { show: "allBut", paths } : { show: "default" };
}

function toKey(path: readonly string[]): string {
  return path.join("/");
}

function listAbove(path: readonly string[]): string[] {
  return path.map((_, length) => toKey(path.slice(0, length)));
}

/** Whether an attribute, or any of its sub-attributes, is returned. */
export function isShown(projection: Projection, name: string): boolean {
  switch (projection.show) {
    case "default":
      return true;
    case "only":
      return projection.paths.has(name) || projection.above.has(name);
    case "allBut":
      return !projection.paths.has(name);
  }
}

/**
 * Keeps only the requested attributes of a resource, in the order of its schema.
 *
 * @see RFC 7643, 2.2: "returned"; RFC 7644, 3.9.
 */
export function project(
  type: ResourceTypeName,
  resource: Record<string, unknown>,
  projection: Projection,
): Record<string, unknown> {
  return members(rootAttributes(type), resource, { projection, above: "" });
}

type Place = { projection: Projection; above: string };

function members(
  among: readonly Attribute[],
  given: Record<string, unknown>,
  place: Place,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const attribute of among) {
    const value = projectValue(attribute, given[attribute.name], place);
    if (value !== undefined) shown[attribute.name] = value;
  }
  return shown;
}

function projectValue(attribute: Attribute, value: unknown, { projection, above }: Place): unknown {
  const { name, returned, subAttributes } = attribute;
  if (value === undefined || returned === "never") return undefined;
  const path = above === "" ? name : `${above}/${name}`;
  const isWhole = projection.show === "default" || returned === "always";
  if (isWhole || (projection.show === "only" && projection.paths.has(path))) return value;
  if (!isShown(projection, path)) return undefined;
  if (subAttributes === undefined) return value;
  const place = { projection, above: path };
  if (!Array.isArray(value)) return isObject(value) ? omitEmpty(members(subAttributes, value, place)) : value;
  const elements = value.filter(isObject).map((element) => members(subAttributes, element, place));
  const some = elements.filter((element) => omitEmpty(element) !== undefined);
  return some.length === 0 ? undefined : some;
}

function omitEmpty(value: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
