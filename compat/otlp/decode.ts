import type { Steps } from "../../src/domain/kernel/turns.ts";
import { readSpans } from "../../src/domain/traces/read-spans.ts";
import type { ReadOptions, TelemetryBatch } from "../../src/domain/traces/telemetry.ts";
import { decodeJson } from "./decode-json.ts";
import { decodeProtobuf } from "./decode-protobuf.ts";

/** The encodings of OTLP over HTTP. */
export type Encoding = "json" | "protobuf";

/** Reads a body. @throws {DomainError} invalid_body; payload_too_large. */
export function decode(bytes: Uint8Array, encoding: Encoding, options: ReadOptions): TelemetryBatch {
  const steps = decodeInSteps(bytes, encoding, options);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** {@link decode}, each span in a step. */
export function decodeInSteps(
  bytes: Uint8Array,
  encoding: Encoding,
  options: ReadOptions,
): Steps<TelemetryBatch> {
  return readSpans(encoding === "json" ? decodeJson(bytes) : decodeProtobuf(bytes), options);
}
