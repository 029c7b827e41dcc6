import { type Dialect, toOps } from "./dialect.ts";

/** The unit of costs in dollars. */
export const DOLLAR_PICO = 1_000_000_000_000n;

/** OpenTelemetry's conventions. @see https://github.com/open-telemetry/semantic-conventions-genai */
export const genai: Dialect = {
  name: "genai",
  operations: [
    {
      key: "gen_ai.operation.name",
      ops: toOps({
        llm: ["chat", "generate_content", "text_completion"],
        agent: ["agent_step", "create_agent", "invoke_agent"],
        workflow: ["invoke_workflow", "plan"],
        tool: ["execute_tool"],
        embedding: ["embeddings"],
        retrieval: ["retrieval"],
        memory: [
          ...["create_memory", "create_memory_store", "delete_memory", "delete_memory_store"],
          ...["search_memory", "update_memory", "upsert_memory"],
        ],
        guardrail: ["run_guardrail"],
        evaluator: ["evaluate"],
      }),
    },
  ],
  usageOp: "llm",
  needsUsage: false,
  provider: ["gen_ai.provider.name", "gen_ai.system"],
  defaultProvider: null,
  model: ["gen_ai.response.model", "gen_ai.request.model"],
  tokens: {
    input: ["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"],
    cacheRead: ["gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens"],
    cacheWrite: ["gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens"],
    cacheWrite1h: [],
    output: ["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"],
    reasoning: ["gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens"],
  },
  isInputExclusive: null,
  cost: [{ key: "gen_ai.usage.cost", unitPico: DOLLAR_PICO }],
  responseId: ["gen_ai.response.id"],
  requestId: [],
  conversation: ["gen_ai.conversation.id"],
  agent: ["gen_ai.agent.id", "gen_ai.agent.name"],
  toolName: ["gen_ai.tool.name"],
};
