import type { MessagePort } from "node:worker_threads";
import type { ErrorCode } from "../../src/domain/kernel/errors.ts";
import type { ReadOptions, TelemetryBatch } from "../../src/domain/traces/telemetry.ts";
import type { SentBody } from "./decode.ts";

/** A body to decode. Its buffer is handed over. */
export type DecodeTask = SentBody & { bytes: Uint8Array<ArrayBuffer>; options: ReadOptions };

/** A body for the worker, and where it answers. A message there asks for each further answer. */
export type DecodeMessage = DecodeTask & { port: MessagePort };

/** What may be large. */
export type DecodedList = "spans" | "calls" | "points";

/** What the worker answers: spans, calls and points, any number of times, then the end or an error. */
export type DecodeAnswer =
  | ({ type: "part" } & Pick<TelemetryBatch, DecodedList>)
  | ({ type: "end" } & Omit<TelemetryBatch, DecodedList>)
  | { type: "error"; code: ErrorCode; message: string };
