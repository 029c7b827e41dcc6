import type protobuf from "protobufjs/minimal.js";
import type { SentItem } from "../../src/domain/traces/sent-item.ts";
import type { Json, SentLog } from "../../src/domain/traces/telemetry.ts";
import {
  BYTES,
  FIXED64,
  addAttribute,
  createLeft,
  readFields,
  readHex,
  readInner,
  readMicroseconds,
  readScopes,
  readValue,
  toTag,
  tryRead,
} from "./protobuf-fields.ts";

/**
 * Reads an ExportLogsServiceRequest in protobuf.
 *
 * @throws {DomainError} invalid_body.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/logs/v1/logs.proto
 */
export function* decodeProtobufLogs(bytes: Uint8Array): Generator<SentItem<SentLog>> {
  for (const scoped of readScopes(bytes, "ExportLogsServiceRequest")) {
    yield (
      scoped && { resource: scoped.resource, scope: scoped.scope, sent: tryRead(scoped.message, readLog) }
    );
  }
}

/** A record whose fields are being read. */
type Unfinished = { -readonly [Name in keyof SentLog]: SentLog[Name] } & { attributes: [string, Json][] };

const LOG = {
  at: toTag(1, FIXED64),
  body: toTag(5, BYTES),
  attribute: toTag(6, BYTES),
  traceId: toTag(9, BYTES),
  spanId: toTag(10, BYTES),
  observedAt: toTag(11, FIXED64),
  eventName: toTag(12, BYTES),
} as const;

function readLog(reader: protobuf.Reader): SentLog {
  const log: Unfinished = { traceId: "", spanId: "", atUs: 0, eventName: "", body: null, attributes: [] };
  const left = createLeft();
  let observedUs = 0;
  readFields(reader, log, (into, tag) => {
    if (tag === LOG.at) into.atUs = readMicroseconds(reader);
    else if (tag === LOG.observedAt) observedUs = readMicroseconds(reader);
    else if (tag === LOG.body) into.body = readInner(reader, (one) => readValue(one, left));
    else if (tag === LOG.traceId) into.traceId = readHex(reader);
    else if (tag === LOG.spanId) into.spanId = readHex(reader);
    else if (tag === LOG.eventName) into.eventName = reader.string();
    else return tag === LOG.attribute && addAttribute(into, reader, left);
    return true;
  });
  log.atUs ||= observedUs;
  return log;
}
