import { type Dialect, toOps } from "./dialect.ts";
import { DOLLAR_PICO } from "./genai.ts";

/** Arize's conventions. @see https://github.com/Arize-ai/openinference/tree/main/spec */
export const openinference: Dialect = {
  name: "openinference",
  operations: [
    {
      key: "openinference.span.kind",
      ops: toOps({
        llm: ["LLM"],
        agent: ["AGENT"],
        workflow: ["CHAIN"],
        tool: ["TOOL"],
        embedding: ["EMBEDDING"],
        retrieval: ["RETRIEVER", "RERANKER"],
        guardrail: ["GUARDRAIL"],
        evaluator: ["EVALUATOR"],
      }),
    },
  ],
  usageOp: "llm",
  needsUsage: false,
  provider: ["llm.provider", "llm.system", "metadata.ls_provider"],
  defaultProvider: null,
  // LangChain's models that don't say it have it in the metadata.
  model: ["llm.model_name", "embedding.model_name", "metadata.ls_model_name"],
  tokens: {
    input: ["llm.token_count.prompt"],
    cacheRead: ["llm.token_count.prompt_details.cache_read", "llm.token_count.prompt_details.cache_input"],
    cacheWrite: ["llm.token_count.prompt_details.cache_write"],
    cacheWrite1h: [],
    output: ["llm.token_count.completion"],
    reasoning: ["llm.token_count.completion_details.reasoning"],
  },
  isInputExclusive: null,
  cost: [{ key: "llm.cost.total", unitPico: DOLLAR_PICO }],
  responseId: ["llm.response.id", "gen_ai.response.id"],
  requestId: [],
  conversation: ["session.id"],
  agent: ["agent.name"],
  toolName: ["tool.name"],
};
