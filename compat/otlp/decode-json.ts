import { isObject } from "../../src/domain/kernel/is-object.ts";
import type { SentItem } from "../../src/domain/traces/sent-item.ts";
import { SPAN_LIMITS } from "../../src/domain/traces/span-limits.ts";
import type { SentSpan } from "../../src/domain/traces/telemetry.ts";
import {
  type JsonObject,
  createLeft,
  getObject,
  getText,
  list,
  listObjects,
  readAttributes,
  readCount,
  readEnum,
  readMicroseconds,
  readOptionalAttributes,
  readScopes,
} from "./json-fields.ts";

const KINDS = ["UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"].map(
  (name) => `SPAN_KIND_${name}`,
);
const STATUSES = ["STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR"];

const NAMES = ["ExportTraceServiceRequest", "resourceSpans", "scopeSpans"] as const;

/** Reads an ExportTraceServiceRequest in JSON. @throws {DomainError} invalid_body. */
export function* decodeJson(bytes: Uint8Array): Generator<SentItem<SentSpan>> {
  for (const scoped of readScopes(bytes, NAMES)) {
    if (scoped === null) {
      yield null;
      continue;
    }
    const { resource, scope, scopeObject } = scoped;
    for (const span of list(scopeObject, "spans")) {
      yield { resource, scope, sent: isObject(span) ? readSpan(span) : "is not an object" };
    }
  }
}

function readSpan(span: JsonObject): SentSpan | string {
  const left = createLeft();
  const attributes = readAttributes(span, left);
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
      attributes: readOptionalAttributes(event, left),
    })),
    links: links.slice(0, SPAN_LIMITS.links).map((link) => ({
      traceId: getText(link, "traceId"),
      spanId: getText(link, "spanId"),
      attributes: readOptionalAttributes(link, left),
    })),
    dropped:
      leftOut.reduce((sum, name) => sum + readCount(span[name]), 0) +
      Math.max(0, list(span, "attributes").length - SPAN_LIMITS.attributes) +
      Math.max(0, events.length - SPAN_LIMITS.events) +
      Math.max(0, links.length - SPAN_LIMITS.links),
  };
}
