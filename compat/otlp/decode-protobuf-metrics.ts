import type protobuf from "protobufjs/minimal.js";
import type { SentItem } from "../../src/domain/traces/sent-item.ts";
import type { Json, SentPoint } from "../../src/domain/traces/telemetry.ts";
import {
  BYTES,
  FIXED64,
  VARINT,
  addAttribute,
  createLeft,
  createReader,
  readFields,
  readMessages,
  readMicroseconds,
  readScopes,
  readSigned,
  toTag,
  tryRead,
} from "./protobuf-fields.ts";

/** Where a point has what it says, as tags: a histogram's value is its sum. */
type PointTags = { attribute: number; double: number; integer: number | null };

const NUMBER: PointTags = {
  attribute: toTag(7, BYTES),
  double: toTag(4, FIXED64),
  integer: toTag(6, FIXED64),
};

/** How the points of a metric are read, by the tag of its data. */
const DATA: ReadonlyMap<number, PointTags> = new Map([
  // A gauge and a sum.
  [toTag(5, BYTES), NUMBER],
  [toTag(7, BYTES), NUMBER],
  // A histogram and an exponential histogram.
  [toTag(9, BYTES), { attribute: toTag(9, BYTES), double: toTag(5, FIXED64), integer: null }],
  [toTag(10, BYTES), { attribute: toTag(1, BYTES), double: toTag(5, FIXED64), integer: null }],
]);

/**
 * Reads an ExportMetricsServiceRequest in protobuf.
 *
 * @throws {DomainError} invalid_body.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto
 */
export function* decodeProtobufMetrics(bytes: Uint8Array): Generator<SentItem<SentPoint>> {
  for (const scoped of readScopes(bytes, "ExportMetricsServiceRequest")) {
    yield null;
    if (scoped === null) continue;
    const { resource, scope, message } = scoped;
    for (const sent of readPoints(message)) yield { resource, scope, sent };
  }
}

/** A metric or point that can't be read doesn't affect others. */
function* readPoints(bytes: Uint8Array): Generator<SentPoint | string> {
  try {
    const { metric, tags, data } = readMetric(bytes);
    if (tags === undefined) return;
    const temporality = readTemporality(data);
    const place = { metric, temporality, tags };
    for (const point of readMessages(data, 1)) yield tryRead(point, (one) => readPoint(one, place));
  } catch {
    yield "is malformed";
  }
}

type Metric = { metric: string; tags: PointTags | undefined; data: Uint8Array };

const METRIC_NAME = toTag(1, BYTES);

function readMetric(bytes: Uint8Array): Metric {
  const metric: Metric = { metric: "", tags: undefined, data: bytes };
  return readFields(createReader(bytes), metric, (into, tag, reader) => {
    if (tag === METRIC_NAME) into.metric = reader.string();
    else if (DATA.has(tag)) {
      into.tags = DATA.get(tag);
      into.data = reader.bytes();
    } else return false;
    return true;
  });
}

const TEMPORALITY = toTag(2, VARINT);

function readTemporality(data: Uint8Array): number {
  const read = readFields(createReader(data), { temporality: 0 }, (into, tag, reader) => {
    if (tag !== TEMPORALITY) return false;
    into.temporality = reader.int32();
    return true;
  });
  return read.temporality;
}

type PointPlace = Pick<SentPoint, "metric" | "temporality"> & { tags: PointTags };

/** A point whose fields are being read. */
type Unfinished = { -readonly [Name in keyof SentPoint]: SentPoint[Name] } & { attributes: [string, Json][] };

const POINT = { startedAt: toTag(2, FIXED64), at: toTag(3, FIXED64) } as const;

function readPoint(reader: protobuf.Reader, { metric, temporality, tags }: PointPlace): SentPoint {
  const point: Unfinished = { metric, temporality, startedAtUs: 0, atUs: 0, value: null, attributes: [] };
  const left = createLeft();
  return readFields(reader, point, (into, tag) => {
    if (tag === POINT.startedAt) into.startedAtUs = readMicroseconds(reader);
    else if (tag === POINT.at) into.atUs = readMicroseconds(reader);
    else if (tag === tags.double) into.value = reader.double();
    else if (tag === tags.integer) into.value = readSigned(reader);
    else return tag === tags.attribute && addAttribute(into, reader, left);
    return true;
  });
}
