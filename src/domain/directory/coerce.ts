import { isObject } from "../kernel/is-object.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import type { Attribute } from "./attribute.ts";
import type { Attributes } from "./resource.ts";
import {
  RESOURCE_TYPES,
  type ResourceTypeName,
  findAttributeByName,
  rootAttributes,
} from "./resource-types.ts";

/** The longest values by kind. userName and displayName are indexed. */
const LENGTHS = { text: 2000, binary: 32_768, indexed: 256 } as const;
const INDEXED = new Set(["userName", "agentUserName", "externalId", "displayName"]);

/** The most elements of a user's attribute. */
export const ELEMENTS_AT_MOST = 200;

/**
 * Parses a client's resource. Names are not case-sensitive. Unknown and read-only attributes, and those
 * without a value, are left out.
 *
 * @throws {DomainError} validation_failed for a value of the wrong type.
 * @see RFC 7643, 2.1 and 2.5; RFC 7644, 3.3 and 3.5.1.
 */
export function coerceResource(type: ResourceTypeName, body: unknown): Attributes {
  if (!isObject(body)) throw new DomainError("invalid_body", "A resource must be one JSON object.");
  return coerceMembers(rootAttributes(type), listResourceMembers(type, body), "");
}

/** Lists the members of a resource or of a part of it. Core attributes may be under the core schema's URN. */
export function listResourceMembers(
  type: ResourceTypeName,
  value: Record<string, unknown>,
): [string, unknown][] {
  const core = RESOURCE_TYPES[type].schema.id.toLowerCase();
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    name.toLowerCase() === core && isObject(inner) ? Object.entries(inner) : [[name, inner]],
  );
}

/**
 * Parses a value of an attribute; undefined if it means no value.
 *
 * @throws {DomainError} validation_failed.
 * @see RFC 7643, 2.3 and 2.5.
 */
export function coerceValue(attribute: Attribute, value: unknown, name = attribute.name): unknown {
  if (attribute.multiValued) return coerceElements(attribute, value, name);
  const single = unwrapSingle(value);
  if (single === null || single === undefined) return undefined;
  if (Array.isArray(single)) {
    if (single.length === 0) return undefined;
    throw createFieldError(name, "must be a single value");
  }
  return attribute.type === "complex"
    ? coerceComplex(attribute, single, name)
    : coerceSimple(attribute, single, name);
}

/** Unwraps a list with one value: identity providers may send a single value as a list. */
export function unwrapSingle(value: unknown): unknown {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return single;
}

/** Whether clients may write the attribute. @see RFC 7643, 2.2, mutability. */
export function isWritable({ mutability }: Attribute): boolean {
  return mutability === "readWrite" || mutability === "immutable";
}

function coerceMembers(
  among: readonly Attribute[],
  given: readonly [string, unknown][],
  within: string,
): Attributes {
  const members: Attributes = {};
  for (const [member, value] of given) {
    const attribute = findAttributeByName(among, member);
    if (attribute === undefined || !isWritable(attribute)) continue;
    const name = within === "" ? attribute.name : `${within}.${attribute.name}`;
    if (attribute.multiValued) requireList(name, value);
    const coerced = coerceValue(attribute, value, name);
    if (coerced !== undefined) members[attribute.name] = coerced;
  }
  return members;
}

/** A resource needs a list; only a patch may add a single element. @see RFC 7643, 2.4. */
function requireList(name: string, value: unknown): void {
  if (value === null || Array.isArray(value)) return;
  throw createFieldError(name, "must be a list");
}

/** A string is taken as the `value` of a complex attribute that has one. */
function coerceComplex(attribute: Attribute, value: unknown, name: string): Attributes | undefined {
  const among = attribute.subAttributes ?? [];
  const hasValue = findAttributeByName(among, "value") !== undefined;
  const given = typeof value === "string" && hasValue ? { value } : value;
  if (!isObject(given)) throw createFieldError(name, "must be an object");
  const members = coerceMembers(among, Object.entries(given), name);
  const [only, ...others] = Object.entries(members);
  const isEmpty = only === undefined || (others.length === 0 && only[0] === "value" && only[1] === "");
  return isEmpty ? undefined : members;
}

function coerceElements(attribute: Attribute, value: unknown, name: string): unknown {
  if (value === null || value === undefined) return undefined;
  const given: unknown[] = Array.isArray(value) ? value : [value];
  const isMembers = attribute.name === "members";
  if (given.length > ELEMENTS_AT_MOST && !isMembers) {
    throw createFieldError(name, `must have at most ${ELEMENTS_AT_MOST} elements`);
  }
  const single = { ...attribute, multiValued: false };
  const coerced = given.map((element) => coerceValue(single, element, name)).filter(isObject);
  return coerced.length === 0 ? undefined : mergeRepeats(attribute, coerced);
}

/** Merges elements with the same type and value. @see RFC 7643, 2.4. */
export function mergeRepeats(attribute: Attribute, elements: readonly Attributes[]): Attributes[] {
  const distinct = new Map<string, Attributes>();
  for (const element of elements) {
    const key = elementKey(attribute, element);
    distinct.set(key, { ...distinct.get(key), ...element });
  }
  return [...distinct.values()];
}

/** Identifies an element by its value and type, or by its whole content if it has no value. */
export function elementKey(attribute: Attribute, element: Attributes): string {
  const { value, type } = element;
  if (value === undefined) {
    return JSON.stringify(Object.entries(element).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }
  return JSON.stringify([toComparedValue(attribute, value), foldCase(type)]);
}

/** Returns an element's value for comparisons. @see RFC 7643, 2.2, caseExact. */
export function toComparedValue({ subAttributes = [] }: Attribute, value: unknown): unknown {
  return findAttributeByName(subAttributes, "value")?.caseExact === true ? value : foldCase(value);
}

function foldCase(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : value;
}

function coerceSimple(attribute: Attribute, value: unknown, name: string): unknown {
  switch (attribute.type) {
    case "boolean":
      return coerceBoolean(value, name);
    case "string":
    case "reference":
    case "dateTime":
      return coerceText(value, name, INDEXED.has(attribute.name) ? LENGTHS.indexed : LENGTHS.text);
    case "binary":
      return coerceBinary(value, name);
    case "complex":
      throw new Error("a complex attribute has no simple value");
  }
}

/** Identity providers may send booleans as strings such as "False". */
function coerceBoolean(value: unknown, name: string): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.trim().toLowerCase() : null;
  if (text === "") return undefined;
  if (text === "true" || text === "false") return text === "true";
  throw createFieldError(name, "must be true or false");
}

function coerceText(value: unknown, name: string, max: number): string {
  if (typeof value !== "string") throw createFieldError(name, "must be a string");
  if (value.length > max) throw createFieldError(name, `must have at most ${max} characters`);
  if (value.includes("\0") || !value.isWellFormed()) {
    throw createFieldError(name, "must not contain NUL or an unpaired surrogate");
  }
  return value;
}

/** Padding is optional. @see RFC 7643, 2.3.6. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function coerceBinary(value: unknown, name: string): string {
  const text = coerceText(value, name, LENGTHS.binary);
  if (BASE64.test(text)) return text;
  throw createFieldError(name, "must be base64");
}
