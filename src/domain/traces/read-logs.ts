import type { Steps } from "../kernel/turns.ts";
import { findCapture } from "./capture.ts";
import { readItems } from "./read-items.ts";
import { addScore } from "./scores/to-score.ts";
import type { SentItem } from "./sent-item.ts";
import type { ReadOptions, SentLog, TelemetryBatch, TelemetrySpan } from "./telemetry.ts";
import { type LoggedEvent, toLoggedEvent } from "./to-logged-event.ts";

/**
 * Reads the records of a request's logs that say something of an agent's work, each in a step. Others are counted.
 *
 * @throws {DomainError} payload_too_large for too many.
 */
export function readLogs(items: Iterable<SentItem<SentLog>>, options: ReadOptions): Steps<TelemetryBatch> {
  return readItems(items, options, {
    word: "record",
    add: (batch, sent, place) => {
      const event = toLoggedEvent(sent, place, options);
      if (typeof event === "string") return event;
      if (event === null) batch.dropped++;
      else {
        addEvent(batch, event, ({ causes, agent }) =>
          addScore(batch, { ...sent, causes }, findCapture(options.capture, agent)),
        );
      }
      return undefined;
    },
  });
}

/** Adds what a record says, and gives what it judges its score. */
function addEvent(
  batch: TelemetryBatch,
  { span, call, isEvaluation }: LoggedEvent,
  evaluate: (span: TelemetrySpan) => void,
): void {
  if (call !== null) batch.calls.push(call);
  if (span === null) return;
  batch.spans.push(span);
  if (isEvaluation) evaluate(span);
}
