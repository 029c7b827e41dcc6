import type { SpanOp } from "../../db/generated/enums.ts";
import { SPAN_LIMITS, toStorable, truncate } from "./span-limits.ts";
import type { Attributes, TelemetrySpan } from "./telemetry.ts";

/** What a span says about itself by attributes. */
export type SpanDescription = Pick<
  TelemetrySpan,
  "op" | "agent" | "conversationId" | "provider" | "model" | "toolName"
>;

/** Operations of the semantic conventions. @see https://github.com/open-telemetry/semantic-conventions-genai */
const OPS = new Map<string, SpanOp>([
  ...["chat", "generate_content", "text_completion"].map((name) => [name, "llm"] as const),
  ...["create_agent", "invoke_agent"].map((name) => [name, "agent"] as const),
  ...["invoke_workflow", "plan"].map((name) => [name, "workflow"] as const),
  ["execute_tool", "tool"],
  ["embeddings", "embedding"],
  ["retrieval", "retrieval"],
  ["run_guardrail", "guardrail"],
  ["evaluate", "evaluator"],
]);

/** Reads the attributes of the semantic conventions for generative AI. */
export function describeSpan(attributes: Attributes): SpanDescription {
  const given = new Map(attributes);

  function find(...keys: string[]): string | null {
    const value = keys.map((key) => given.get(key)).find((one) => typeof one === "string" && one !== "");
    return typeof value === "string" ? truncate(toStorable(value), SPAN_LIMITS.wordLength) : null;
  }

  const operation = find("gen_ai.operation.name") ?? "";
  return {
    op: operation.endsWith("_memory") ? "memory" : (OPS.get(operation) ?? "other"),
    agent: find("gen_ai.agent.id", "gen_ai.agent.name"),
    conversationId: find("gen_ai.conversation.id"),
    provider: find("gen_ai.provider.name", "gen_ai.system"),
    model: find("gen_ai.response.model", "gen_ai.request.model"),
    toolName: find("gen_ai.tool.name"),
  };
}
