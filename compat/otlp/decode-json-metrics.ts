import { isObject } from "../../src/domain/kernel/is-object.ts";
import type { SentItem } from "../../src/domain/traces/sent-item.ts";
import type { SentPoint } from "../../src/domain/traces/telemetry.ts";
import {
  type JsonObject,
  createLeft,
  getObject,
  getText,
  list,
  listObjects,
  readAttributes,
  readEnum,
  readMicroseconds,
  readNumber,
  readScopes,
} from "./json-fields.ts";

const NAMES = ["ExportMetricsServiceRequest", "resourceMetrics", "scopeMetrics"] as const;
const TEMPORALITIES = ["UNSPECIFIED", "DELTA", "CUMULATIVE"].map((name) => `AGGREGATION_TEMPORALITY_${name}`);

/** The points of a metric, by what it is, and where each has its value. */
const KINDS = [
  ["sum", ["asInt", "asDouble"]],
  ["gauge", ["asInt", "asDouble"]],
  ["histogram", ["sum"]],
  ["exponentialHistogram", ["sum"]],
] as const;

/** Reads an ExportMetricsServiceRequest in JSON. @throws {DomainError} invalid_body. */
export function* decodeJsonMetrics(bytes: Uint8Array): Generator<SentItem<SentPoint>> {
  for (const scoped of readScopes(bytes, NAMES)) {
    if (scoped === null) {
      yield null;
      continue;
    }
    const { resource, scope, scopeObject } = scoped;
    for (const metric of listObjects(scopeObject, "metrics")) {
      yield null;
      for (const sent of readPoints(metric)) yield { resource, scope, sent };
    }
  }
}

function* readPoints(metric: JsonObject): Generator<SentPoint | string> {
  const name = getText(metric, "name");
  for (const [kind, values] of KINDS) {
    const data = getObject(metric, kind);
    const temporality = readEnum(data["aggregationTemporality"], TEMPORALITIES);
    for (const point of list(data, "dataPoints")) {
      yield isObject(point) ? readPoint(point, { metric: name, temporality, values }) : "is not an object";
    }
  }
}

type PointPlace = Pick<SentPoint, "metric" | "temporality"> & { values: readonly string[] };

function readPoint(point: JsonObject, { metric, temporality, values }: PointPlace): SentPoint | string {
  const attributes = readAttributes(point, createLeft());
  if (attributes === null) return "attributes must be a list";
  const value = values.map((name) => point[name]).find((one) => one !== undefined && one !== null);
  return {
    metric,
    temporality,
    attributes,
    value: readNumber(value),
    startedAtUs: readMicroseconds(point["startTimeUnixNano"]),
    atUs: readMicroseconds(point["timeUnixNano"]),
  };
}
