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

/** How long a text may be; a certificate may be longer. User names and names of groups are indexed. */
const LENGTHS = { text: 2000, binary: 32_768, indexed: 256 } as const;
const INDEXED = new Set(["userName", "externalId", "displayName"]);

/** How many elements an attribute of a user may have. */
export const ELEMENTS_AT_MOST = 200;

/**
 * Reads the attributes of a resource that a client sent: names in any case; what is unknown or not the
 * client's to write is left out, and so is what has no value.
 *
 * @throws {DomainError} validation_failed for a value of the wrong type.
 * @see RFC 7643, 2.1 and 2.5; RFC 7644, 3.3 and 3.5.1.
 */
export function coerceResource(type: ResourceTypeName, body: unknown): Attributes {
  if (!isObject(body)) throw new DomainError("invalid_body", "A resource must be one JSON object.");
  return coerceMembers(rootAttributes(type), listResourceMembers(type, body), "");
}

/** The members of a resource, or of a part of one; those of the core schema may stand under its URN. */
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
 * Reads one value of an attribute; undefined where it stands for no value.
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
    throw createFieldError(name, "has one value");
  }
  return attribute.type === "complex"
    ? coerceComplex(attribute, single, name)
    : coerceSimple(attribute, single, name);
}

/** The value, or the one that a list holds: an identity provider may wrap a single value into a list. */
export function unwrapSingle(value: unknown): unknown {
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return single;
}

/** Whether a client may write the attribute. @see RFC 7643, 2.2, mutability. */
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

/** A patch may add a single element; a resource has lists of them. @see RFC 7643, 2.4. */
function requireList(name: string, value: unknown): void {
  if (value === null || Array.isArray(value)) return;
  throw createFieldError(name, "must be a list");
}

/** A text alone stands for the value of a complex attribute that has one. */
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
    throw createFieldError(name, `has at most ${ELEMENTS_AT_MOST} elements`);
  }
  const single = { ...attribute, multiValued: false };
  const coerced = given.map((element) => coerceValue(single, element, name)).filter(isObject);
  return coerced.length === 0 ? undefined : mergeRepeats(attribute, coerced);
}

/** The same type and value stand once; what several say of it is put together. @see RFC 7643, 2.4. */
export function mergeRepeats(attribute: Attribute, elements: readonly Attributes[]): Attributes[] {
  const distinct = new Map<string, Attributes>();
  for (const element of elements) {
    const key = elementKey(attribute, element);
    distinct.set(key, { ...distinct.get(key), ...element });
  }
  return [...distinct.values()];
}

/** What tells an element from the others: its value and its type; else all of it. */
export function elementKey(attribute: Attribute, element: Attributes): string {
  const { value, type } = element;
  if (value === undefined) {
    return JSON.stringify(Object.entries(element).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }
  return JSON.stringify([toComparedValue(attribute, value), foldCase(type)]);
}

/** An element's value as it is compared with others. @see RFC 7643, 2.2, caseExact. */
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
      throw new Error("a complex attribute is not simple");
  }
}

/** An identity provider may write "False". */
function coerceBoolean(value: unknown, name: string): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.trim().toLowerCase() : null;
  if (text === "") return undefined;
  if (text === "true" || text === "false") return text === "true";
  throw createFieldError(name, "must be true or false");
}

function coerceText(value: unknown, name: string, max: number): string {
  if (typeof value !== "string") throw createFieldError(name, "must be a text");
  if (value.length > max) throw createFieldError(name, `must have at most ${max} characters`);
  if (value.includes("\0") || !value.isWellFormed()) {
    throw createFieldError(name, "must not contain NUL or half a surrogate pair");
  }
  return value;
}

/** The padding may be left out. @see RFC 7643, 2.3.6. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function coerceBinary(value: unknown, name: string): string {
  const text = coerceText(value, name, LENGTHS.binary);
  if (BASE64.test(text)) return text;
  throw createFieldError(name, "must be base64");
}
