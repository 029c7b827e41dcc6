import type { Ctx } from "../../kernel/context.ts";
import type { AppendContent } from "../../kernel/events.ts";
import type { TraceScore } from "./trace-score.ts";

/** What is appended when a score is given or deleted. What people do is also audited. */
export function describeScore(
  { actor }: Ctx,
  change: "trace.scored" | "trace.score_deleted",
  { traceId, spanId, name, value, label, annotatorKind, generation }: TraceScore,
): AppendContent {
  const subject = { subjectType: "trace", subjectId: traceId };
  const data = { name, span_id: spanId, annotator_kind: annotatorKind, generation };
  const audit = { action: change, targetType: "trace", targetId: traceId };
  return {
    events: [{ type: change, ...subject, data }],
    audit: actor.type === "agent" ? [] : [{ ...audit, changes: { name, span_id: spanId, value, label } }],
  };
}
