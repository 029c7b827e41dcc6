import { readSpans } from "../../src/domain/traces/read-spans.ts";
import type { ReadOptions, TelemetryBatch } from "../../src/domain/traces/telemetry.ts";
import { decodeJson } from "./decode-json.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";

/** The encodings of OTLP over HTTP. */
export type Encoding = "json" | "protobuf";

/** Reads a body. @throws {DomainError} invalid_body. */
export function decode(bytes: Uint8Array, encoding: Encoding, options: ReadOptions): TelemetryBatch {
  return readSpans(encoding === "json" ? decodeJson(bytes) : decodeProtobuf(bytes), options);
}
