import { type Dialect, toOps } from "./dialect.ts";

/** Codex's spans and events. Most of its spans are plumbing; calls don't name their model. */
export const codex: Dialect = {
  name: "codex",
  operations: [
    { key: "", ops: toOps({ llm: ["handle_responses"], agent: ["session_task.turn"] }) },
    { key: "event.name", ops: toOps({ llm: ["codex.sse_event"], tool: ["codex.tool_result"] }) },
  ],
  usageOp: "other",
  needsUsage: true,
  provider: [],
  defaultProvider: "openai",
  model: ["model", "gen_ai.response.model", "gen_ai.request.model"],
  tokens: {
    input: ["gen_ai.usage.input_tokens", "codex.turn.token_usage.input_tokens", "input_token_count"],
    cacheRead: [
      "gen_ai.usage.cache_read.input_tokens",
      "codex.turn.token_usage.cached_input_tokens",
      "cached_token_count",
    ],
    cacheWrite: ["gen_ai.usage.cache_write.input_tokens", "codex.turn.token_usage.cache_write_input_tokens"],
    cacheWrite1h: [],
    output: ["gen_ai.usage.output_tokens", "codex.turn.token_usage.output_tokens", "output_token_count"],
    reasoning: [
      "codex.usage.reasoning_output_tokens",
      "codex.turn.token_usage.reasoning_output_tokens",
      "reasoning_token_count",
    ],
  },
  isInputExclusive: false,
  cost: [],
  responseId: ["gen_ai.response.id"],
  requestId: [],
  // Not `thread.id`, which is a thread of the operating system on most spans.
  conversation: ["conversation.id"],
  agent: ["gen_ai.agent.id", "gen_ai.agent.name"],
  toolName: ["tool_name", "gen_ai.tool.name"],
};
