import protobuf from "protobufjs/minimal.js";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import type { SentItem } from "../../src/domain/traces/read-spans.ts";
import { SPAN_LIMITS } from "../../src/domain/traces/span-limits.ts";
import type { Attributes, Json, SentSpan } from "../../src/domain/traces/telemetry.ts";
import { toInteger } from "./to-integer.ts";

/** The wire types that the messages have. @see https://protobuf.dev/programming-guides/encoding/#structure */
const [VARINT, FIXED64, BYTES] = [0, 1, 2];

type Field = { number: number; wireType: number; reader: protobuf.Reader };

/** Called with each field. Returns false if it doesn't know it. */
type ReadField = (field: Field) => boolean;

/**
 * Reads an ExportTraceServiceRequest in protobuf, field by field and without building its messages. A span that
 * can't be read doesn't affect others. Unknown fields are skipped.
 *
 * @throws {DomainError} invalid_body.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */
export function* decodeProtobuf(bytes: Uint8Array): Generator<SentItem> {
  let position = 0;
  try {
    for (const resourceSpans of messages(bytes, 1)) {
      position = resourceSpans.byteOffset - bytes.byteOffset;
      yield* readResourceSpans(resourceSpans);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : "it can't be read";
    throw new DomainError(
      "invalid_body",
      `The body is not an ExportTraceServiceRequest: ${why}, in the message at byte ${position}.`,
    );
  }
}

function* readResourceSpans(bytes: Uint8Array): Generator<SentItem> {
  const [resourceBytes] = messages(bytes, 1);
  const resource = resourceBytes === undefined ? [] : readAttributes(resourceBytes, 1);
  for (const scopeSpans of messages(bytes, 2)) {
    const [scopeBytes] = messages(scopeSpans, 1);
    const scope = scopeBytes === undefined ? "" : readScope(scopeBytes);
    for (const span of messages(scopeSpans, 2)) yield { resource, scope, span: tryReadSpan(span) };
  }
}

/** Calls a function with the fields of a message. */
function readFields(bytes: Uint8Array, readField: ReadField): void {
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const field = { number: tag >>> 3, wireType: tag & 7, reader };
    if (!readField(field)) reader.skipType(field.wireType, 0, field.number);
  }
}

/** The messages in a repeated field, one after the other. */
function* messages(bytes: Uint8Array, number: number): Generator<Uint8Array> {
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === ((number << 3) | BYTES)) yield reader.bytes();
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
}

function readScope(bytes: Uint8Array): string {
  const [name] = messages(bytes, 1);
  return name === undefined ? "" : toText(name);
}

function tryReadSpan(bytes: Uint8Array): SentSpan | string {
  try {
    return readSpan(bytes);
  } catch {
    return "is malformed";
  }
}

/** A span whose fields are being read. */
type Unfinished = { -readonly [Name in keyof SentSpan]: SentSpan[Name] } & {
  attributes: [string, Json][];
  events: SentSpan["events"][number][];
  links: SentSpan["links"][number][];
};

function readSpan(bytes: Uint8Array): SentSpan {
  const span: Unfinished = {
    ...{ traceId: "", spanId: "", parentSpanId: "", name: "", kind: 0, startedAtUs: 0, endedAtUs: 0 },
    ...{ statusCode: 0, statusMessage: "", attributes: [], events: [], links: [], dropped: 0 },
  };
  readFields(bytes, ({ number, wireType, reader }) => {
    if (wireType === BYTES) readSpanPart(span, number, reader.bytes());
    else if (wireType === FIXED64 && number === 7) span.startedAtUs = readMicroseconds(reader);
    else if (wireType === FIXED64 && number === 8) span.endedAtUs = readMicroseconds(reader);
    else if (wireType === VARINT && number === 6) span.kind = reader.int32();
    else if (wireType === VARINT && COUNTS.has(number)) addDropped(span, reader.uint32());
    else return false;
    return true;
  });
  return span;
}

/** Numbers of attributes, events and links that the sender left out. */
const COUNTS = new Set([10, 12, 14]);

function addDropped(span: Unfinished, count: number): void {
  span.dropped += Math.min(count, SPAN_LIMITS.dropped);
}

function readSpanPart(span: Unfinished, number: number, bytes: Uint8Array): void {
  const { attributes, events, links } = span;
  if (number === 1) span.traceId = toHex(bytes);
  else if (number === 2) span.spanId = toHex(bytes);
  else if (number === 4) span.parentSpanId = toHex(bytes);
  else if (number === 5) span.name = toText(bytes);
  else if (number === 9 && attributes.length < SPAN_LIMITS.attributes) attributes.push(readWhole(bytes));
  else if (number === 11 && events.length < SPAN_LIMITS.events) events.push(readEvent(bytes));
  else if (number === 13 && links.length < SPAN_LIMITS.links) links.push(readLink(bytes));
  else if (number === 15) Object.assign(span, readStatus(bytes));
  else if (LISTS.has(number)) addDropped(span, 1);
}

const LISTS = new Set([9, 11, 13]);

function readStatus(bytes: Uint8Array): Pick<SentSpan, "statusCode" | "statusMessage"> {
  const status = { statusCode: 0, statusMessage: "" };
  readFields(bytes, ({ number, wireType, reader }) => {
    if (number === 2 && wireType === BYTES) status.statusMessage = toText(reader.bytes());
    else if (number === 3 && wireType === VARINT) status.statusCode = reader.int32();
    else return false;
    return true;
  });
  return status;
}

function readEvent(bytes: Uint8Array): SentSpan["events"][number] {
  const event = { name: "", atUs: 0 };
  readFields(bytes, ({ number, wireType, reader }) => {
    if (number === 1 && wireType === FIXED64) event.atUs = readMicroseconds(reader);
    else if (number === 2 && wireType === BYTES) event.name = toText(reader.bytes());
    else return false;
    return true;
  });
  return { ...event, attributes: readAttributes(bytes, 3) };
}

function readLink(bytes: Uint8Array): SentSpan["links"][number] {
  const link = { traceId: "", spanId: "" };
  readFields(bytes, ({ number, wireType, reader }) => {
    if (wireType !== BYTES || number > 2) return false;
    link[number === 1 ? "traceId" : "spanId"] = toHex(reader.bytes());
    return true;
  });
  return { ...link, attributes: readAttributes(bytes, 4) };
}

function readAttributes(bytes: Uint8Array, number: number): Attributes {
  const attributes: [string, Json][] = [];
  for (const one of messages(bytes, number)) {
    if (attributes.push(readWhole(one)) === SPAN_LIMITS.attributes) break;
  }
  return attributes;
}

/** `left` is shared by all parts of a value. */
type Left = { elements: number };

/** Reads an attribute with its whole value. */
function readWhole(bytes: Uint8Array): [string, Json] {
  return readAttribute(bytes, SPAN_LIMITS.depth, { elements: SPAN_LIMITS.elements });
}

function readAttribute(bytes: Uint8Array, depth: number, left: Left): [string, Json] {
  const attribute: [string, Json] = ["", null];
  readFields(bytes, ({ number, wireType, reader }) => {
    if (wireType !== BYTES || number > 2) return false;
    if (number === 1) attribute[0] = toText(reader.bytes());
    else attribute[1] = readValue(reader.bytes(), depth, left);
    return true;
  });
  return attribute;
}

function readValue(bytes: Uint8Array, depth: number, left: Left): Json {
  let value: Json = null;
  readFields(bytes, ({ number, wireType, reader }) => {
    if (number === 1 && wireType === BYTES) value = toText(reader.bytes());
    else if (number === 2 && wireType === VARINT) value = reader.bool();
    else if (number === 3 && wireType === VARINT) value = readInteger(reader);
    else if (number === 4 && wireType === FIXED64) value = reader.double();
    else if ((number === 5 || number === 6) && wireType === BYTES) {
      const parts = reader.bytes();
      if (depth === 0) value = "…";
      else value = number === 5 ? readList(parts, depth - 1, left) : readMembers(parts, depth - 1, left);
    } else if (number === 7 && wireType === BYTES) value = Buffer.from(reader.bytes()).toString("base64");
    else return false;
    return true;
  });
  return value;
}

function readList(bytes: Uint8Array, depth: number, left: Left): Json {
  const elements: Json[] = [];
  readFields(bytes, ({ number, wireType, reader }) => {
    if (number !== 1 || wireType !== BYTES || left.elements <= 0) return false;
    left.elements--;
    elements.push(readValue(reader.bytes(), depth, left));
    return true;
  });
  return elements;
}

function readMembers(bytes: Uint8Array, depth: number, left: Left): Json {
  const members: [string, Json][] = [];
  readFields(bytes, ({ number, wireType, reader }) => {
    if (number !== 1 || wireType !== BYTES || left.elements <= 0) return false;
    left.elements--;
    members.push(readAttribute(reader.bytes(), depth, left));
    return true;
  });
  return Object.fromEntries(members);
}

function readInteger(reader: protobuf.Reader): Json {
  // A number, or the library's object for 64 bits. Both are written as digits.
  // oxlint-disable-next-line typescript/no-base-to-string
  return toInteger(reader.int64().toString());
}

function readMicroseconds(reader: protobuf.Reader): number {
  const [low, high] = [reader.fixed32(), reader.fixed32()];
  return Number(((BigInt(high) << 32n) + BigInt(low) + 500n) / 1000n);
}

/** Invalid UTF-8 becomes U+FFFD. */
function toText(bytes: Uint8Array): string {
  return toBuffer(bytes).toString("utf8");
}

function toHex(bytes: Uint8Array): string {
  // More is none of an id.
  return toBuffer(bytes.subarray(0, 32)).toString("hex");
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
