import type protobuf from "protobufjs/minimal.js";
import type { SentItem } from "../../src/domain/traces/sent-item.ts";
import { SPAN_LIMITS } from "../../src/domain/traces/span-limits.ts";
import type { Json, SentSpan } from "../../src/domain/traces/telemetry.ts";
import {
  BYTES,
  FIXED64,
  type Left,
  VARINT,
  addAttribute,
  createLeft,
  readFields,
  readHex,
  readInner,
  readMicroseconds,
  readScopes,
  toTag,
  tryRead,
} from "./protobuf-fields.ts";

/**
 * Reads an ExportTraceServiceRequest in protobuf.
 *
 * @throws {DomainError} invalid_body.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */
export function* decodeProtobuf(bytes: Uint8Array): Generator<SentItem<SentSpan>> {
  for (const scoped of readScopes(bytes, "ExportTraceServiceRequest")) {
    yield (
      scoped && { resource: scoped.resource, scope: scoped.scope, sent: tryRead(scoped.message, readSpan) }
    );
  }
}

/** A span whose fields are being read. */
type Unfinished = { -readonly [Name in keyof SentSpan]: SentSpan[Name] } & {
  attributes: [string, Json][];
  events: SentSpan["events"][number][];
  links: SentSpan["links"][number][];
};

function readSpan(reader: protobuf.Reader): SentSpan {
  const span: Unfinished = {
    traceId: "",
    spanId: "",
    parentSpanId: "",
    name: "",
    kind: 0,
    startedAtUs: 0,
    endedAtUs: 0,
    statusCode: 0,
    statusMessage: "",
    attributes: [],
    events: [],
    links: [],
    dropped: 0,
  };
  return readFields(reader, { span, left: createLeft() }, readSpanField).span;
}

type Reading = { span: Unfinished; left: Left };

const SPAN = {
  traceId: toTag(1, BYTES),
  spanId: toTag(2, BYTES),
  parentSpanId: toTag(4, BYTES),
  name: toTag(5, BYTES),
  kind: toTag(6, VARINT),
  startedAt: toTag(7, FIXED64),
  endedAt: toTag(8, FIXED64),
  attribute: toTag(9, BYTES),
  event: toTag(11, BYTES),
  link: toTag(13, BYTES),
  status: toTag(15, BYTES),
} as const;

/** How many attributes, events and links the sender left out. */
const DROPPED = new Set([10, 12, 14].map((number) => toTag(number, VARINT)));

function readSpanField(reading: Reading, tag: number, reader: protobuf.Reader): boolean {
  const { span } = reading;
  if (tag === SPAN.traceId) span.traceId = readHex(reader);
  else if (tag === SPAN.spanId) span.spanId = readHex(reader);
  else if (tag === SPAN.parentSpanId) span.parentSpanId = readHex(reader);
  else if (tag === SPAN.name) span.name = reader.string();
  else if (tag === SPAN.kind) span.kind = reader.int32();
  else if (tag === SPAN.startedAt) span.startedAtUs = readMicroseconds(reader);
  else if (tag === SPAN.endedAt) span.endedAtUs = readMicroseconds(reader);
  else if (tag === SPAN.status) readInner(reader, (one) => readFields(one, span, readStatusField));
  else if (DROPPED.has(tag)) addDropped(span, reader.uint32());
  else return readSpanPart(reading, tag, reader);
  return true;
}

function addDropped(span: Unfinished, count: number): void {
  span.dropped += Math.min(count, SPAN_LIMITS.dropped);
}

/** Reads what may be many. What is too many is skipped and counted. */
function readSpanPart({ span, left }: Reading, tag: number, reader: protobuf.Reader): boolean {
  const { events, links } = span;
  if (tag === SPAN.attribute && addAttribute(span, reader, left)) return true;
  if (tag === SPAN.event && events.length < SPAN_LIMITS.events) {
    events.push(readInner(reader, (one) => readEvent(one, left)));
    return true;
  }
  if (tag === SPAN.link && links.length < SPAN_LIMITS.links) {
    links.push(readInner(reader, (one) => readLink(one, left)));
    return true;
  }
  if (tag === SPAN.attribute || tag === SPAN.event || tag === SPAN.link) addDropped(span, 1);
  return false;
}

const STATUS = { message: toTag(2, BYTES), code: toTag(3, VARINT) } as const;

function readStatusField(status: Unfinished, tag: number, reader: protobuf.Reader): boolean {
  if (tag === STATUS.message) status.statusMessage = reader.string();
  else if (tag === STATUS.code) status.statusCode = reader.int32();
  else return false;
  return true;
}

type UnfinishedEvent = { name: string; atUs: number; attributes: [string, Json][] };

const EVENT = { at: toTag(1, FIXED64), name: toTag(2, BYTES), attribute: toTag(3, BYTES) } as const;

function readEvent(reader: protobuf.Reader, left: Left): SentSpan["events"][number] {
  const event: UnfinishedEvent = { name: "", atUs: 0, attributes: [] };
  return readFields(reader, event, (into, tag) => {
    if (tag === EVENT.at) into.atUs = readMicroseconds(reader);
    else if (tag === EVENT.name) into.name = reader.string();
    else return tag === EVENT.attribute && addAttribute(into, reader, left);
    return true;
  });
}

type UnfinishedLink = { traceId: string; spanId: string; attributes: [string, Json][] };

const LINK = { traceId: toTag(1, BYTES), spanId: toTag(2, BYTES), attribute: toTag(4, BYTES) } as const;

function readLink(reader: protobuf.Reader, left: Left): SentSpan["links"][number] {
  const link: UnfinishedLink = { traceId: "", spanId: "", attributes: [] };
  return readFields(reader, link, (into, tag) => {
    if (tag === LINK.traceId) into.traceId = readHex(reader);
    else if (tag === LINK.spanId) into.spanId = readHex(reader);
    else return tag === LINK.attribute && addAttribute(into, reader, left);
    return true;
  });
}
