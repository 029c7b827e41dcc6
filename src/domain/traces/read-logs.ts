import type { Steps } from "../kernel/turns.ts";
import { readItems } from "./read-items.ts";
import { addScore } from "./scores/to-score.ts";
import type { SentItem } from "./sent-item.ts";
import type { ReadOptions, SentLog, TelemetryBatch } from "./telemetry.ts";
import { toLoggedEvent } from "./to-logged-event.ts";

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
        if (event.span !== null) batch.spans.push(event.span);
        if (event.call !== null) batch.calls.push(event.call);
        if (event.isEvaluation && event.span !== null)
          addScore(batch, { ...sent, causes: event.span.causes }, options);
      }
      return undefined;
    },
  });
}
