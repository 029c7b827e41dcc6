import protobuf from "protobufjs/minimal.js";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import { SPAN_LIMITS } from "../../src/domain/traces/span-limits.ts";
import type { Attributes, Json } from "../../src/domain/traces/telemetry.ts";

/** The wire types that the messages have. @see https://protobuf.dev/programming-guides/encoding/#structure */
export const [VARINT, FIXED64, BYTES] = [0, 1, 2];

/** The tag that stands before a field: its number and wire type. */
export function toTag(number: number, wireType: number): number {
  return (number << 3) | wireType;
}

/** Called with the tag of each field of a message, which is read into an object. Returns false if it doesn't know it. */
type ReadField<Into> = (into: Into, tag: number, reader: protobuf.Reader) => boolean;

/** A message within a scope, with what is said of its process. Not yet read. */
export type ScopedMessage = { resource: Attributes; scope: string; message: Uint8Array };

/**
 * Reads what all requests have in common, field by field and without building their messages. Unknown fields are
 * skipped. Null stands for a process or a scope, before what it has.
 *
 * @param name of the message.
 * @throws {DomainError} invalid_body.
 */
export function* readScopes(bytes: Uint8Array, name: string): Generator<ScopedMessage | null> {
  let position = 0;
  try {
    for (const ofResource of readMessages(bytes, 1)) {
      position = ofResource.byteOffset - bytes.byteOffset;
      yield* readResource(ofResource);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : "it can't be read";
    throw new DomainError(
      "invalid_body",
      `The body is not an ${name}: ${why}, in the message at byte ${position}.`,
    );
  }
}

function* readResource(bytes: Uint8Array): Generator<ScopedMessage | null> {
  const [resourceBytes] = readMessages(bytes, 1);
  const resource = resourceBytes === undefined ? [] : readAttributes(resourceBytes, 1);
  yield null;
  for (const ofScope of readMessages(bytes, 2)) {
    const [scopeBytes] = readMessages(ofScope, 1);
    const scope = scopeBytes === undefined ? "" : readScope(scopeBytes);
    yield null;
    for (const message of readMessages(ofScope, 2)) yield { resource, scope, message };
  }
}

/** Reads a message. One that can't be read doesn't affect others. */
export function tryRead<Sent>(bytes: Uint8Array, read: (reader: protobuf.Reader) => Sent): Sent | string {
  try {
    return read(createReader(bytes));
  } catch {
    return "is malformed";
  }
}

/** Reads the fields of the message that a reader is limited to. */
export function readFields<Into>(reader: protobuf.Reader, into: Into, readField: ReadField<Into>): Into {
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (!readField(into, tag, reader)) skipField(reader, tag);
  }
  return into;
}

function skipField(reader: protobuf.Reader, tag: number): void {
  reader.skipType(tag & 7, 0, tag >>> 3);
}

/**
 * Reads a message within another: limits the reader to it. Of a message that can't be read, the outer one can't be
 * read either.
 */
export function readInner<Read>(reader: protobuf.Reader, read: (reader: protobuf.Reader) => Read): Read {
  const outerEnd = reader.len;
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > outerEnd) throw new RangeError("a message is longer than the one that it is in");
  reader.len = end;
  const inner = read(reader);
  reader.len = outerEnd;
  return inner;
}

/** The messages in a repeated field, one after the other. */
export function* readMessages(bytes: Uint8Array, number: number): Generator<Uint8Array> {
  const reader = createReader(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === toTag(number, BYTES)) yield reader.bytes();
    else skipField(reader, tag);
  }
}

function readScope(bytes: Uint8Array): string {
  const [name] = readMessages(bytes, 1);
  return name === undefined ? "" : toBuffer(name).toString("utf8");
}

/** How many elements and members the values of a span may still have. */
export type Left = { elements: number };

export function createLeft(): Left {
  return { elements: SPAN_LIMITS.elements };
}

/** Reads the attributes in a repeated field. */
function readAttributes(bytes: Uint8Array, number: number): Attributes {
  const attributes: [string, Json][] = [];
  const left = createLeft();
  for (const one of readMessages(bytes, number)) {
    if (attributes.push(readAttribute(createReader(one), left)) === SPAN_LIMITS.attributes) break;
  }
  return attributes;
}

/** Reads an attribute with its whole value. */
function readAttribute(reader: protobuf.Reader, left: Left): [string, Json] {
  return readMember(reader, SPAN_LIMITS.depth, left);
}

/** What has attributes, while it is read. */
type WithAttributes = { attributes: [string, Json][] };

/** Reads an attribute within a message. @returns false if there is no room for it. */
export function addAttribute({ attributes }: WithAttributes, reader: protobuf.Reader, left: Left): boolean {
  if (attributes.length === SPAN_LIMITS.attributes) return false;
  attributes.push(readInner(reader, (one) => readAttribute(one, left)));
  return true;
}

function readMember(reader: protobuf.Reader, depth: number, left: Left): [string, Json] {
  let name = "";
  let value: Json = null;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === MEMBER_NAME) name = reader.string();
    else if (tag === MEMBER_VALUE) value = readInner(reader, (one) => readPart(one, depth, left));
    else skipField(reader, tag);
  }
  return [name, value];
}

const [MEMBER_NAME, MEMBER_VALUE] = [toTag(1, BYTES), toTag(2, BYTES)];

/** Reads a value that stands alone. */
export function readValue(reader: protobuf.Reader, left: Left): Json {
  return readPart(reader, SPAN_LIMITS.depth, left);
}

function readPart(reader: protobuf.Reader, depth: number, left: Left): Json {
  let value: Json = null;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    switch (tag) {
      case TEXT:
        value = reader.string();
        break;
      case TRUTH:
        value = reader.bool();
        break;
      case INTEGER:
        value = readInteger(reader);
        break;
      case DOUBLE:
        value = reader.double();
        break;
      case LIST:
        value = depth === 0 ? skipPart(reader) : readInner(reader, (one) => readList(one, depth - 1, left));
        break;
      case MEMBERS:
        value =
          depth === 0 ? skipPart(reader) : readInner(reader, (one) => readMembers(one, depth - 1, left));
        break;
      case BINARY:
        value = toBuffer(reader.bytes()).toString("base64");
        break;
      default:
        skipField(reader, tag);
    }
  }
  return value;
}

const [TEXT, TRUTH, INTEGER, DOUBLE] = [
  toTag(1, BYTES),
  toTag(2, VARINT),
  toTag(3, VARINT),
  toTag(4, FIXED64),
];
/** An element of a list, or a member of an object. */
const PART = toTag(1, BYTES);
const [LIST, MEMBERS, BINARY] = [toTag(5, BYTES), toTag(6, BYTES), toTag(7, BYTES)];

/** @returns the mark for what is deeper than is read. */
function skipPart(reader: protobuf.Reader): Json {
  reader.skipType(BYTES, 0, 1);
  return "…";
}

function readList(reader: protobuf.Reader, depth: number, left: Left): Json {
  return readFields(reader, [] as Json[], (elements, tag) => {
    if (tag !== PART || left.elements <= 0) return false;
    left.elements--;
    elements.push(readInner(reader, (one) => readPart(one, depth, left)));
    return true;
  });
}

function readMembers(reader: protobuf.Reader, depth: number, left: Left): Json {
  const members = readFields(reader, [] as [string, Json][], (read, tag) => {
    if (tag !== PART || left.elements <= 0) return false;
    left.elements--;
    read.push(readInner(reader, (one) => readMember(one, depth, left)));
    return true;
  });
  return Object.fromEntries(members);
}

/** One that JavaScript can't hold exactly is text. */
function readInteger(reader: protobuf.Reader): Json {
  const { high, low } = reader.int64();
  const number = high * 2 ** 32 + (low >>> 0);
  return Number.isSafeInteger(number) ? number : String((BigInt(high) << 32n) + BigInt(low >>> 0));
}

/** A number with a sign, in 64 bits. Loses the last digits of those above 2⁵³. */
export function readSigned(reader: protobuf.Reader): number {
  return Number(BigInt.asIntN(64, readFixed(reader)));
}

/** Reads nanoseconds. */
export function readMicroseconds(reader: protobuf.Reader): number {
  return Number((readFixed(reader) + 500n) / 1000n);
}

function readFixed(reader: protobuf.Reader): bigint {
  const [low, high] = [reader.fixed32(), reader.fixed32()];
  return (BigInt(high) << 32n) + BigInt(low);
}

/** Reads an id. Of what is longer than any id, the beginning. */
export function readHex(reader: protobuf.Reader): string {
  return toBuffer(reader.bytes()).toString("hex", 0, 32);
}

/** Its texts are UTF-8. What is not becomes U+FFFD. */
export function createReader(bytes: Uint8Array): protobuf.Reader {
  return protobuf.Reader.create(toBuffer(bytes));
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
