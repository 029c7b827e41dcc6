import { createJsonError, DomainError } from "../../src/domain/kernel/errors.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import { SPAN_LIMITS } from "../../src/domain/traces/span-limits.ts";
import type { Attributes, Json } from "../../src/domain/traces/telemetry.ts";
import { parseJson } from "../../src/http/parse-json.ts";

export type JsonObject = Record<string, unknown>;

const JSON_LIMITS = {
  // Values of attributes are cut at a depth of their own.
  maxDepth: Number.MAX_SAFE_INTEGER,
  maxContainers: 1_000_000,
  maxMembers: Number.MAX_SAFE_INTEGER,
  maxValues: Number.MAX_SAFE_INTEGER,
  createError: createJsonError,
};

/** What stands in one list of a scope, with what is said of its process. Not yet read. */
export type ScopedJson = { resource: Attributes; scope: string; scopeObject: JsonObject };

/**
 * Reads what all requests have in common. Unknown fields are ignored, missing ones have their defaults. Null stands for
 * a process or a scope, before what it has.
 *
 * @param names of the message, its list, and the list in that.
 * @throws {DomainError} invalid_body.
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function* readScopes(
  bytes: Uint8Array,
  names: readonly [string, string, string],
): Generator<ScopedJson | null> {
  const [message, resourceList, scopeList] = names;
  const request = parseJson(new TextDecoder().decode(bytes), JSON_LIMITS);
  if (!isObject(request)) {
    throw new DomainError("invalid_body", `The body is not an ${message}: it is not a JSON object.`);
  }
  for (const ofResource of listObjects(request, resourceList)) {
    const resource = readOptionalAttributes(getObject(ofResource, "resource"), createLeft());
    yield null;
    for (const scopeObject of listObjects(ofResource, scopeList)) {
      yield null;
      yield { resource, scope: getText(getObject(scopeObject, "scope"), "name"), scopeObject };
    }
  }
}

export function list(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name] ?? [];
  return Array.isArray(value) ? value : [];
}

export function listObjects(object: JsonObject, name: string): JsonObject[] {
  return list(object, name).filter(isObject);
}

export function getObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

export function getText(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** A number or its name. */
export function readEnum(value: unknown, names: readonly string[]): number {
  if (typeof value === "string") return Math.max(0, names.indexOf(value));
  return Number.isInteger(value) ? Number(value) : 0;
}

export function readCount(value: unknown): number {
  return Number.isInteger(value) ? Math.min(Math.max(Number(value), 0), SPAN_LIMITS.dropped) : 0;
}

/** A number, or one as text; NaN for other text. */
export function readNumber(value: unknown): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && value !== "" && value.length <= MOST_DIGITS ? Number(value) : null;
}

const MOST_DIGITS = 40;

/** Nanoseconds as digits or as a number, which has lost its last digits but not the microseconds. */
export function readMicroseconds(value: unknown): number {
  const isDigits = typeof value === "string" && /^\d{1,20}$/.test(value);
  if (!isDigits && !(typeof value === "number" && Number.isInteger(value))) return 0;
  return Number((BigInt(value) + 500n) / 1000n);
}

/** How many elements and members the values of a span may still have. */
export type Left = { elements: number };

export function createLeft(): Left {
  return { elements: SPAN_LIMITS.elements };
}

export function readOptionalAttributes(owner: JsonObject, left: Left): Attributes {
  return readAttributes(owner, left) ?? [];
}

/** Null if they are no list. */
export function readAttributes(owner: JsonObject, left: Left): Attributes | null {
  const given = owner["attributes"] ?? [];
  if (!Array.isArray(given)) return null;
  return given
    .filter(isObject)
    .slice(0, SPAN_LIMITS.attributes)
    .map((attribute) => [getText(attribute, "key"), readWhole(attribute["value"], left)] as const);
}

export function readWhole(given: unknown, left: Left): Json {
  return readValue(given, SPAN_LIMITS.depth, left);
}

function readValue(given: unknown, depth: number, left: Left): Json {
  if (!isObject(given)) return null;
  if (typeof given["stringValue"] === "string") return given["stringValue"];
  if (typeof given["boolValue"] === "boolean") return given["boolValue"];
  if (given["intValue"] !== undefined) return readInteger(given["intValue"]);
  if (given["doubleValue"] !== undefined) return readDouble(given["doubleValue"]);
  if (typeof given["bytesValue"] === "string") return given["bytesValue"];
  const [elements, members] = [getObject(given, "arrayValue"), getObject(given, "kvlistValue")];
  if (depth === 0) return "…";
  if (given["arrayValue"] !== undefined) {
    return take(list(elements, "values"), left).map((element) => readValue(element, depth - 1, left));
  }
  if (given["kvlistValue"] === undefined) return null;
  const entries = take(listObjects(members, "values"), left);
  return Object.fromEntries(
    entries.map((member) => [getText(member, "key"), readValue(member["value"], depth - 1, left)]),
  );
}

function take<Element>(elements: readonly Element[], left: Left): readonly Element[] {
  const taken = elements.slice(0, left.elements);
  left.elements -= taken.length;
  return taken;
}

/** One that JavaScript can't hold exactly is text. */
function readInteger(value: unknown): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || !/^-?\d{1,19}$/.test(value)) return null;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(BigInt(value));
}

function readDouble(value: unknown): Json {
  if (typeof value === "number") return value;
  return typeof value === "string" && ["NaN", "Infinity", "-Infinity"].includes(value) ? value : null;
}
