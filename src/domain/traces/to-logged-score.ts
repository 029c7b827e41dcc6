import { LIMITS } from "../kernel/limits.ts";
import { redactText } from "../kernel/redact.ts";
import type { GivenScore } from "./scores/trace-score.ts";
import { truncate } from "./span-limits.ts";
import type { Json, ReadOptions, SentLog } from "./telemetry.ts";
import { isSpanId } from "./to-telemetry-span.ts";
import { toTraceUuid } from "./trace-ids.ts";

/** The event by which an evaluation of a span is told. */
export const EVALUATION = "gen_ai.evaluation.result";

const NAMES = {
  name: "gen_ai.evaluation.name",
  value: "gen_ai.evaluation.score.value",
  label: "gen_ai.evaluation.score.label",
  comment: "gen_ai.evaluation.explanation",
} as const;

/**
 * Reads the score of an evaluation of a trace or of one of its spans. What explains it is content.
 *
 * @returns null without a name, or without a value and a label.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/
 */
export function toLoggedScore(
  { traceId, spanId, attributes }: SentLog,
  { capture }: Pick<ReadOptions, "capture">,
): GivenScore | null {
  const said = new Map<string, Json>(attributes);
  const name = readText(said.get(NAMES.name), LIMITS.labelLength);
  const value = readValue(said.get(NAMES.value));
  const label = readText(said.get(NAMES.label), LIMITS.labelLength);
  if (name === null || (value === null && label === null)) return null;
  return {
    traceId: toTraceUuid(traceId),
    spanId: isSpanId(spanId) ? spanId.toLowerCase() : null,
    ...{ name, value, label, annotatorKind: "code" },
    comment: capture === "off" ? null : readText(said.get(NAMES.comment), LIMITS.textLength),
  };
}

function readText(value: Json | undefined, length: number): string | null {
  return typeof value === "string" && value !== ""
    ? truncate(redactText(value.slice(0, 2 * length)), length)
    : null;
}

function readValue(value: Json | undefined): number | null {
  const { min, max } = LIMITS.scoreValue;
  return typeof value === "number" && value >= min && value <= max ? value : null;
}
