import type { CaptureContent } from "../../../db/generated/enums.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { SpanLinks } from "../dialects/read-links.ts";
import { redactContentText } from "../redact-content.ts";
import { truncate } from "../span-limits.ts";
import type { Json, SentLog, TelemetryBatch } from "../telemetry.ts";
import { isSpanId, toTraceUuid } from "../trace-ids.ts";
import type { SentScore } from "./trace-score.ts";

/** The event by which an evaluation of a span is told. */
export const EVALUATION = "gen_ai.evaluation.result";

/** The scores of one request. */
const MOST_SCORES = 100;

const NAMES = {
  name: "gen_ai.evaluation.name",
  value: "gen_ai.evaluation.score.value",
  label: "gen_ai.evaluation.score.label",
  comment: "gen_ai.evaluation.explanation",
} as const;

/** An evaluation as it was sent, in a log or in a span, and what the log or the span names as its cause. */
type SentEvaluation = Pick<SentLog, "traceId" | "spanId" | "attributes"> & { causes: SpanLinks };

/**
 * Adds the score of an evaluation of a trace or of one of its spans, if there is room. What explains it is content.
 * Without a name, or without a value and a label, there is none.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/
 */
export function addScore(
  { scores }: Pick<TelemetryBatch, "scores">,
  { traceId, spanId, attributes, causes }: SentEvaluation,
  capture: CaptureContent,
): void {
  const said = new Map<string, Json>(attributes);
  const name = readText(said.get(NAMES.name), LIMITS.labelLength);
  const value = readValue(said.get(NAMES.value));
  const label = readText(said.get(NAMES.label), LIMITS.labelLength);
  if (name === null || (value === null && label === null) || scores.length >= MOST_SCORES) return;
  scores.push({
    traceId: toTraceUuid(traceId),
    spanId: isSpanId(spanId) ? spanId.toLowerCase() : null,
    name,
    value,
    label,
    annotatorKind: "code",
    comment: capture === "off" ? null : readText(said.get(NAMES.comment), LIMITS.textLength),
    item: readItem(causes),
  });
}

function readItem({ evalRunId, evalItemKey }: SpanLinks): SentScore["item"] {
  return evalRunId === null || evalItemKey === null ? null : { runId: evalRunId, itemKey: evalItemKey };
}

function readText(value: Json | undefined, length: number): string | null {
  return typeof value === "string" && value !== ""
    ? truncate(redactContentText(value.slice(0, 2 * length)), length)
    : null;
}

function readValue(value: Json | undefined): number | null {
  const { min, max } = LIMITS.scoreValue;
  return typeof value === "number" && value >= min && value <= max ? value : null;
}
