import type { Steps } from "../kernel/turns.ts";
import { findCapture } from "./capture.ts";
import { compileDropRules } from "./drop-rules/drop-rule.ts";
import { readItems } from "./read-items.ts";
import { EVALUATION, addScore } from "./scores/to-score.ts";
import type { SentItem } from "./sent-item.ts";
import type { ReadOptions, SentSpan, TelemetryBatch } from "./telemetry.ts";
import { toTelemetrySpan } from "./to-telemetry-span.ts";

/** Reads all spans of a request, each in a step. @throws {DomainError} payload_too_large for too many. */
export function readSpans(items: Iterable<SentItem<SentSpan>>, options: ReadOptions): Steps<TelemetryBatch> {
  const findRule = compileDropRules(options.dropRules);
  return readItems(items, options, {
    word: "span",
    add: (batch, sent, place) => {
      const span = toTelemetrySpan(sent, place, options);
      if (typeof span === "string") return span;
      const rule = findRule({ scope: span.scope, name: sent.name, usageRole: span.usageRole });
      if (rule >= 0) {
        batch.dropped++;
        batch.droppedByRules[rule] = (batch.droppedByRules[rule] ?? 0) + 1;
        return undefined;
      }
      batch.spans.push(span);
      for (const { name, attributes } of sent.events) {
        if (name !== EVALUATION) continue;
        addScore(
          batch,
          { ...sent, attributes, causes: span.causes },
          findCapture(options.capture, span.agent),
        );
      }
      return undefined;
    },
  });
}
