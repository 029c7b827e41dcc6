import type { ErrorCode } from "../../src/domain/kernel/errors.ts";
import type { ReadOptions, TelemetryBatch } from "../../src/domain/traces/telemetry.ts";
import type { Encoding } from "./decode.ts";

/** A body for the worker. Its buffer is handed over. */
export type DecodeTask = { bytes: Uint8Array<ArrayBuffer>; encoding: Encoding; options: ReadOptions };

/** What the worker is sent: a body, then a word for each further answer. */
export type DecodeMessage = DecodeTask | "more";

/** What the worker answers: spans, any number of times, then the end or an error. */
export type DecodeAnswer =
  | { type: "spans"; spans: TelemetryBatch["spans"] }
  | ({ type: "end" } & Omit<TelemetryBatch, "spans">)
  | { type: "error"; code: ErrorCode; message: string };
