import type { Steps } from "../kernel/turns.ts";
import { readItems } from "./read-items.ts";
import { EVALUATION, addScore } from "./scores/to-score.ts";
import type { SentItem } from "./sent-item.ts";
import type { ReadOptions, SentSpan, TelemetryBatch } from "./telemetry.ts";
import { toTelemetrySpan } from "./to-telemetry-span.ts";

/** Reads all spans of a request, each in a step. @throws {DomainError} payload_too_large for too many. */
export function readSpans(items: Iterable<SentItem<SentSpan>>, options: ReadOptions): Steps<TelemetryBatch> {
  return readItems(items, options, {
    word: "span",
    add: (batch, sent, place) => {
      const span = toTelemetrySpan(sent, place, options);
      if (typeof span === "string") return span;
      batch.spans.push(span);
      for (const event of sent.events) {
        if (event.name === EVALUATION)
          addScore(batch, { ...sent, attributes: event.attributes, causes: span.causes }, options);
      }
      return undefined;
    },
  });
}
