import { isObject } from "../../src/domain/kernel/is-object.ts";
import type { SentItem } from "../../src/domain/traces/sent-item.ts";
import type { SentLog } from "../../src/domain/traces/telemetry.ts";
import {
  type JsonObject,
  createLeft,
  getText,
  list,
  readAttributes,
  readMicroseconds,
  readScopes,
  readWhole,
} from "./json-fields.ts";

const NAMES = ["ExportLogsServiceRequest", "resourceLogs", "scopeLogs"] as const;

/** Reads an ExportLogsServiceRequest in JSON. @throws {DomainError} invalid_body. */
export function* decodeJsonLogs(bytes: Uint8Array): Generator<SentItem<SentLog>> {
  for (const scoped of readScopes(bytes, NAMES)) {
    if (scoped === null) {
      yield null;
      continue;
    }
    const { resource, scope, scopeObject } = scoped;
    for (const log of list(scopeObject, "logRecords")) {
      yield { resource, scope, sent: isObject(log) ? readLog(log) : "is not an object" };
    }
  }
}

function readLog(log: JsonObject): SentLog | string {
  const left = createLeft();
  const attributes = readAttributes(log, left);
  if (attributes === null) return "attributes must be a list";
  return {
    traceId: getText(log, "traceId"),
    spanId: getText(log, "spanId"),
    atUs: readMicroseconds(log["timeUnixNano"]) || readMicroseconds(log["observedTimeUnixNano"]),
    eventName: getText(log, "eventName"),
    body: readWhole(log["body"], left),
    attributes,
  };
}
