import type { SpanOp } from "../../../data/trace-skeleton.ts";
import type { SpanTree } from "../tree/build-tree.ts";

/** The colors of spans, with what they mean. */
export const TONES = {
  agent: "agent",
  model: "model",
  tool: "tool",
  check: "guardrail or evaluator",
  service: "Agent Ops",
  wait: "waits for a person",
  other: "other",
  failed: "failed",
  lost: "lost: its agent is offline",
} as const;

export type SpanTone = keyof typeof TONES;

const BY_OP: Readonly<Record<SpanOp, SpanTone>> = {
  agent: "agent",
  workflow: "agent",
  llm: "model",
  embedding: "model",
  tool: "tool",
  retrieval: "tool",
  memory: "tool",
  guardrail: "check",
  evaluator: "check",
  human: "wait",
  other: "other",
};

/** The color of a node. A parent that has not arrived is like a span of an unknown kind. */
export function getTone({ spans }: Pick<SpanTree, "spans">, node: number): SpanTone {
  const status = spans.status[node];
  if (status === "error") return "failed";
  if (status === "lost") return "lost";
  const tone = BY_OP[spans.op[node] ?? "other"];
  return spans.service[node] === true && tone !== "wait" ? "service" : tone;
}
