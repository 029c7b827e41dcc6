import { createJsonError, DomainError } from "../../src/domain/kernel/errors.ts";
import { isObject } from "../../src/domain/kernel/is-object.ts";
import type { SentItem } from "../../src/domain/traces/read-spans.ts";
import { SPAN_LIMITS } from "../../src/domain/traces/span-limits.ts";
import type { Attributes, Json, SentSpan } from "../../src/domain/traces/telemetry.ts";
import { parseJson } from "../../src/http/parse-json.ts";
import { toInteger } from "./to-integer.ts";

const JSON_LIMITS = {
  // Values of attributes are cut at a depth of their own.
  maxDepth: Number.MAX_SAFE_INTEGER,
  maxContainers: 2_000_000,
  createError: createJsonError,
};

const KINDS = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"].map(
  (name) => `SPAN_KIND_${name}`,
);
const STATUSES = ["STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR"];

/**
 * Reads an ExportTraceServiceRequest in JSON. Unknown fields are ignored, missing ones have their defaults.
 *
 * @throws {DomainError} invalid_body.
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
export function* decodeJson(bytes: Uint8Array): Generator<SentItem> {
  const request = parseJson(new TextDecoder().decode(bytes), JSON_LIMITS);
  if (!isObject(request)) throw createRequestError("it is not a JSON object");
  for (const resourceSpans of listObjects(request, "resourceSpans")) {
    const resource = readOptionalAttributes(getObject(resourceSpans, "resource"));
    for (const scopeSpans of listObjects(resourceSpans, "scopeSpans")) {
      const scope = getText(getObject(scopeSpans, "scope"), "name");
      for (const span of list(scopeSpans, "spans")) {
        yield { resource, scope, span: isObject(span) ? readSpan(span) : "is not an object" };
      }
    }
  }
}

function createRequestError(why: string): DomainError {
  return new DomainError("invalid_body", `The body is not an ExportTraceServiceRequest: ${why}.`);
}

type JsonObject = Record<string, unknown>;

function readSpan(span: JsonObject): SentSpan | string {
  const attributes = readAttributes(span);
  if (attributes === null) return "attributes must be a list";
  const status = getObject(span, "status");
  const [events, links] = [listObjects(span, "events"), listObjects(span, "links")];
  const leftOut = ["droppedAttributesCount", "droppedEventsCount", "droppedLinksCount"];
  return {
    traceId: getText(span, "traceId"),
    spanId: getText(span, "spanId"),
    parentSpanId: getText(span, "parentSpanId"),
    name: getText(span, "name"),
    kind: readEnum(span["kind"], KINDS),
    startedAtUs: readMicroseconds(span["startTimeUnixNano"]),
    endedAtUs: readMicroseconds(span["endTimeUnixNano"]),
    statusCode: readEnum(status["code"], STATUSES),
    statusMessage: getText(status, "message"),
    attributes,
    events: events.slice(0, SPAN_LIMITS.events).map((event) => ({
      name: getText(event, "name"),
      atUs: readMicroseconds(event["timeUnixNano"]),
      attributes: readOptionalAttributes(event),
    })),
    links: links.slice(0, SPAN_LIMITS.links).map((link) => ({
      ...{ traceId: getText(link, "traceId"), spanId: getText(link, "spanId") },
      attributes: readOptionalAttributes(link),
    })),
    dropped:
      leftOut.reduce((sum, name) => sum + readCount(span[name]), 0) +
      Math.max(0, list(span, "attributes").length - SPAN_LIMITS.attributes) +
      Math.max(0, events.length - SPAN_LIMITS.events) +
      Math.max(0, links.length - SPAN_LIMITS.links),
  };
}

function list(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name] ?? [];
  return Array.isArray(value) ? value : [];
}

function listObjects(object: JsonObject, name: string): JsonObject[] {
  return list(object, name).filter(isObject);
}

function getObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

function getText(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** A number or its name. */
function readEnum(value: unknown, names: readonly string[]): number {
  if (typeof value === "string") return Math.max(0, names.indexOf(value));
  return Number.isInteger(value) ? Number(value) : 0;
}

function readCount(value: unknown): number {
  return Number.isInteger(value) ? Math.min(Math.max(Number(value), 0), SPAN_LIMITS.dropped) : 0;
}

/** Nanoseconds as digits or as a number, which has lost its last digits but not the microseconds. */
function readMicroseconds(value: unknown): number {
  const isDigits = typeof value === "string" && /^\d{1,20}$/.test(value);
  if (!isDigits && !(typeof value === "number" && Number.isInteger(value))) return 0;
  return Number((BigInt(value) + 500n) / 1000n);
}

function readOptionalAttributes(owner: JsonObject): Attributes {
  return readAttributes(owner) ?? [];
}

/** Null if they are no list. */
function readAttributes(owner: JsonObject): Attributes | null {
  const given = owner["attributes"] ?? [];
  if (!Array.isArray(given)) return null;
  return given
    .filter(isObject)
    .slice(0, SPAN_LIMITS.attributes)
    .map(
      (attribute) =>
        [
          getText(attribute, "key"),
          readValue(attribute["value"], SPAN_LIMITS.depth, { elements: SPAN_LIMITS.elements }),
        ] as const,
    );
}

/** `left` is shared by all parts of a value. */
type Left = { elements: number };

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

function readInteger(value: unknown): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && /^-?\d{1,19}$/.test(value) ? toInteger(value) : null;
}

function readDouble(value: unknown): Json {
  if (typeof value === "number") return value;
  return typeof value === "string" && ["NaN", "Infinity", "-Infinity"].includes(value) ? value : null;
}
