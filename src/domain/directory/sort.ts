import type { Attribute } from "./attribute.ts";
import { foldCaseSql } from "./compile-filter.ts";
import { createFieldError } from "../kernel/errors.ts";
import { type ResourceTypeName, findAttributeByName, attributesOnPath } from "./resource-types.ts";
import { getStoredElements, getStoredValue } from "./storage.ts";

/** The sort attribute and direction. @see RFC 7644, 3.4.2.3. */
export type DirectorySort = { path: string[]; descending: boolean };

/** The SQL to sort by, and its type. */
export type SortKey = { sql: string; type: "text" | "boolean" | "timestamptz" };

/**
 * Compiles the sort attribute; null if the type does not have it. A multi-valued attribute is sorted by its
 * primary element, otherwise by its first.
 *
 * @throws {DomainError} validation_failed for an attribute that can't be sorted by.
 * @see RFC 7644, 3.4.2.3.
 */
export function compileSort(type: ResourceTypeName, path: readonly string[]): SortKey | null {
  const found = attributesOnPath(type, path);
  const [first, attribute] = [found?.[0], found?.at(-1)];
  if (first === undefined || attribute === undefined) return null;
  if (first.multiValued) return compileElementsSort(type, first, path[1] ?? "value");
  if (attribute.type === "complex") return compileSort(type, [...path, "value"]) ?? throwUnsortable(path);
  const stored = getStoredValue(type, path);
  return stored === null ? throwUnsortable(path) : toSortKey(attribute, stored.sql);
}

function compileElementsSort(type: ResourceTypeName, attribute: Attribute, name: string): SortKey {
  const stored = getStoredElements(type, attribute.name);
  const sub =
    attribute.subAttributes === undefined ? attribute : findAttributeByName(attribute.subAttributes, name);
  const value = sub === undefined ? null : stored.value(sub.name);
  if (sub === undefined || value === null) return throwUnsortable([attribute.name, name]);
  const preferred = stored.value("primary")?.sql;
  const isPrimary = attribute.subAttributes?.some((each) => each.name === "primary") === true;
  const order = isPrimary && preferred !== undefined ? `${preferred} DESC NULLS LAST, ` : "";
  const { sql, type: keyType } = toSortKey(sub, value.sql);
  return {
    sql: `(SELECT ${sql} FROM ${stored.from} ORDER BY ${order}${stored.order} LIMIT 1)`,
    type: keyType,
  };
}

/** Strings are sorted by code point, whatever the database's collation. */
function toSortKey(attribute: Attribute, sql: string): SortKey {
  if (attribute.type === "boolean") return { sql, type: "boolean" };
  if (attribute.type === "dateTime") return { sql, type: "timestamptz" };
  return { sql: `${foldCaseSql(attribute, sql)} COLLATE "C"`, type: "text" };
}

function throwUnsortable(path: readonly string[]): never {
  throw createFieldError("sortBy", `${path.join(".")} can't be sorted by`);
}
