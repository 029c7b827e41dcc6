import type { Steps } from "../../src/domain/kernel/turns.ts";
import { readLogs } from "../../src/domain/traces/read-logs.ts";
import { readMetrics } from "../../src/domain/traces/read-metrics.ts";
import { readSpans } from "../../src/domain/traces/read-spans.ts";
import type { ReadOptions, TelemetryBatch } from "../../src/domain/traces/telemetry.ts";
import { decodeJson } from "./decode-json.ts";
import { decodeJsonLogs } from "./decode-json-logs.ts";
import { decodeJsonMetrics } from "./decode-json-metrics.ts";
import { decodeProtobufLogs } from "./decode-protobuf-logs.ts";
import { decodeProtobufMetrics } from "./decode-protobuf-metrics.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";

/** The encodings of OTLP over HTTP. */
export type Encoding = "json" | "protobuf";

/** What a request sends. */
export type Signal = "traces" | "logs" | "metrics";

/** A body, and how it is to be read. */
export type SentBody = { bytes: Uint8Array; signal: Signal; encoding: Encoding };

/** Reads a body. @throws {DomainError} invalid_body; payload_too_large. */
export function decode(body: SentBody, options: ReadOptions): TelemetryBatch {
  const steps = decodeInSteps(body, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** {@link decode}, each span, record or point in a step. */
export function decodeInSteps(
  { bytes, signal, encoding }: SentBody,
  options: ReadOptions,
): Steps<TelemetryBatch> {
  const isJson = encoding === "json";
  switch (signal) {
    case "traces":
      return readSpans(isJson ? decodeJson(bytes) : decodeProtobuf(bytes), options);
    case "logs":
      return readLogs(isJson ? decodeJsonLogs(bytes) : decodeProtobufLogs(bytes), options);
    case "metrics":
      return readMetrics(isJson ? decodeJsonMetrics(bytes) : decodeProtobufMetrics(bytes), options);
  }
}
