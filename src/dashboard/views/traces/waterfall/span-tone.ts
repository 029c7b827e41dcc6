import type { SpanOp } from "../../../data/trace-skeleton.ts";
import type { SpanTree } from "../tree/build-tree.ts";

/** The colors of spans, with what they mean. */
export const TONES = {
  agent: "agent",
  model: "model",
  tool: "tool",
  check: "guardrail or evaluator",
  other: "other",
  failed: "failed",
} as const;

export type SpanTone = keyof typeof TONES;

const BY_OP: Readonly<Record<SpanOp, SpanTone>> = {
  ...{ agent: "agent", workflow: "agent", llm: "model", embedding: "model" },
  ...{ tool: "tool", retrieval: "tool", memory: "tool", guardrail: "check", evaluator: "check" },
  other: "other",
};

/** The color of a node. A parent that has not arrived is like a span of an unknown kind. */
export function getTone({ spans }: Pick<SpanTree, "spans">, node: number): SpanTone {
  return spans.status[node] === "error" ? "failed" : BY_OP[spans.op[node] ?? "other"];
}
