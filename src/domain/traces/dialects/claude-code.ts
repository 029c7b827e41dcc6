import { type Dialect, toOps } from "./dialect.ts";

/** Claude Code's spans and events. @see https://code.claude.com/docs/en/monitoring-usage */
export const claudeCode: Dialect = {
  name: "claude_code",
  operations: [
    {
      key: "span.type",
      ops: toOps({ llm: ["llm_request"], agent: ["interaction"], tool: ["tool", "tool.execution"] }),
    },
    { key: "event.name", ops: toOps({ llm: ["api_request", "claude_code.api_request"] }) },
  ],
  usageOp: "llm",
  needsUsage: false,
  provider: [],
  defaultProvider: "anthropic",
  model: ["model", "gen_ai.response.model", "gen_ai.request.model"],
  tokens: {
    input: ["input_tokens"],
    cacheRead: ["cache_read_tokens"],
    cacheWrite: ["cache_creation_tokens"],
    cacheWrite1h: ["cache_creation_1h_tokens"],
    output: ["output_tokens"],
    reasoning: [],
  },
  isInputExclusive: true,
  cost: [
    { key: "cost_usd_micros", unitPico: 1_000_000n },
    { key: "cost_usd", unitPico: 1_000_000_000_000n },
  ],
  responseId: ["gen_ai.response.id"],
  requestId: ["request_id"],
  conversation: ["session.id"],
  agent: ["gen_ai.agent.id", "gen_ai.agent.name"],
  toolName: ["tool_name", "gen_ai.tool.name"],
};
