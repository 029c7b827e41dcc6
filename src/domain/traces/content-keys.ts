/** Attributes with what was said to a model, a tool or an agent, as clients name them. */
const INPUTS = [
  ...["gen_ai.input.messages", "gen_ai.system_instructions", "gen_ai.tool.call.arguments", "gen_ai.prompt"],
  ...["gen_ai.tool.definitions", "gen_ai.request.tools", "input.value", "llm.prompts", "llm.tools"],
  ...["llm.input_messages", "llm.prompt_template", "traceloop.entity.input", "ai.prompt", "ai.toolCall.args"],
  ...["ai.value", "ai.values"],
  ...["tool.parameters", "full_command", "tool_input", "tool_parameters", "user_prompt", "prompt"],
  ...[
    "gen_ai.system.message",
    "gen_ai.user.message",
    "gen_ai.tool.message",
    "user_message",
    "message.content",
  ],
];

/** The same for answers. */
const OUTPUTS = [
  ...["gen_ai.output.messages", "gen_ai.completion", "gen_ai.tool.call.result", "output.value"],
  ...["llm.output_messages", "llm.completions", "traceloop.entity.output", "ai.response.text"],
  ...["ai.response.object", "ai.response.toolCalls", "ai.response.reasoning", "ai.toolCall.result"],
  ...["gen_ai.assistant.message", "gen_ai.choice", "retrieval.documents", "tool_output", "tool_result"],
  ...["completion", "content", "ai.embedding", "ai.embeddings"],
];

const KINDS = new Map<string, "input" | "output">([
  ...INPUTS.map((key) => [key, "input"] as const),
  ...OUTPUTS.map((key) => [key, "output"] as const),
]);

/** Whether an attribute, or what its name begins with such as `gen_ai.prompt.0.content`, is content. */
export function findContentKind(key: string): "input" | "output" | null {
  for (let end = key.length; end > 0; end = key.lastIndexOf(".", end - 1)) {
    const kind = KINDS.get(key.slice(0, end));
    if (kind !== undefined) return kind;
  }
  return null;
}
