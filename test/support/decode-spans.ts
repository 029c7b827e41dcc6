import { type Encoding, decode } from "../../compat/otlp/decode.ts";
import type { ReadOptions, TelemetryBatch } from "../../src/domain/traces/telemetry.ts";

/** Reads a request of spans. */
export function decodeSpans(bytes: Uint8Array, encoding: Encoding, options: ReadOptions): TelemetryBatch {
  return decode({ bytes, signal: "traces", encoding }, options);
}
