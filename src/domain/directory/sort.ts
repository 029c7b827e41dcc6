import type { Attribute } from "./attribute.ts";
import { folded } from "./compile-filter.ts";
import { invalid } from "../errors.ts";
import { type ResourceTypeName, attributeNamed, attributesOnPath } from "./resource-types.ts";
import { storedElements, storedValue } from "./storage.ts";

/** The attribute that a list is sorted by. @see RFC 7644, 3.4.2.3. */
export type Sort = { path: string[]; descending: boolean };

/** What a list is sorted by as SQL, and the type of it. */
export type SortKey = { sql: string; type: "text" | "boolean" | "timestamptz" };

/**
 * Compiles what a list is sorted by; null where the type has no such attribute. Of several elements the
 * primary one counts, else the first.
 *
 * @throws {DomainError} validation_failed for an attribute that can't be sorted by.
 * @see RFC 7644, 3.4.2.3.
 */
export function compileSort(type: ResourceTypeName, path: readonly string[]): SortKey | null {
  const found = attributesOnPath(type, path);
  const [first, attribute] = [found?.[0], found?.at(-1)];
  if (first === undefined || attribute === undefined) return null;
  if (first.multiValued) return sortOfElements(type, first, path[1] ?? "value");
  if (attribute.type === "complex") return compileSort(type, [...path, "value"]) ?? refuse(path);
  const stored = storedValue(type, path);
  return stored === null ? refuse(path) : keyOf(attribute, stored.sql);
}

function sortOfElements(type: ResourceTypeName, attribute: Attribute, name: string): SortKey {
  const stored = storedElements(type, attribute.name);
  const sub =
    attribute.subAttributes === undefined ? attribute : attributeNamed(attribute.subAttributes, name);
  const value = sub === undefined ? null : stored.value(sub.name);
  if (sub === undefined || value === null) return refuse([attribute.name, name]);
  const preferred = stored.value("primary")?.sql;
  const isPrimary = attribute.subAttributes?.some((each) => each.name === "primary") === true;
  const order = isPrimary && preferred !== undefined ? `${preferred} DESC NULLS LAST, ` : "";
  const { sql, type: of } = keyOf(sub, value.sql);
  return { sql: `(SELECT ${sql} FROM ${stored.from} ORDER BY ${order}${stored.order} LIMIT 1)`, type: of };
}

/** Texts are sorted by code point, whatever the database's language. */
function keyOf(attribute: Attribute, sql: string): SortKey {
  if (attribute.type === "boolean") return { sql, type: "boolean" };
  if (attribute.type === "dateTime") return { sql, type: "timestamptz" };
  return { sql: `${folded(attribute, sql)} COLLATE "C"`, type: "text" };
}

function refuse(path: readonly string[]): never {
  throw invalid("sortBy", `${path.join(".")} can't be sorted by`);
}
