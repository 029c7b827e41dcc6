import type { SentCase } from "./sent-case.ts";

const TASK = "01a202f4-a278-7f20-b88d-5d073a9b37dd";

/** Attributes as senders send them: of the AI SDK 6 and LangGraph 1.7 as captured, of others as they document. */
export const SENT: SentCase[] = [
  {
    sender: "a model's call in OpenTelemetry's words",
    span: {
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "claude-opus-4-8",
        "gen_ai.response.model": "claude-opus-4-8-20260301",
        "gen_ai.response.id": "msg_1",
        "gen_ai.conversation.id": "c-1",
        "gen_ai.agent.name": "billing-bot",
        "gen_ai.usage.input_tokens": "130",
        "gen_ai.usage.cache_read.input_tokens": "100",
        "gen_ai.usage.cache_creation.input_tokens": "20",
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.reasoning.output_tokens": 2,
        "gen_ai.usage.cost": 0.00035,
      },
      resource: { "aos.task_id": TASK.toUpperCase() },
    },
    says: {
      ...{ dialect: "genai", op: "llm", usageRole: "leaf", provider: "anthropic" },
      ...{
        model: "claude-opus-4-8-20260301",
        responseId: "msg_1",
        conversation: "c-1",
        agent: "billing-bot",
      },
      tokens: { input: 130n, cacheRead: 100n, cacheWrite: 20n, output: 5n, reasoning: 2n },
      ...{ costPico: 350_000_000n, taskId: TASK },
    },
  },
  {
    sender: "older words without an operation, and input without what is cached",
    span: {
      attributes: {
        "gen_ai.system": "anthropic",
        "gen_ai.request.model": "claude-opus-4-8",
        "gen_ai.usage.prompt_tokens": 10,
        "gen_ai.usage.completion_tokens": 5,
        "gen_ai.usage.cache_read_input_tokens": 100,
        "gen_ai.usage.cache_creation_input_tokens": 20,
      },
    },
    says: {
      ...{ dialect: "genai", op: "llm", usageRole: "leaf", provider: "anthropic", model: "claude-opus-4-8" },
      tokens: { input: 130n, cacheRead: 100n, cacheWrite: 20n, output: 5n },
    },
  },
  {
    sender: "an agent with its sum",
    span: { attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": 7 } },
    says: { dialect: "genai", op: "agent", usageRole: "aggregate", tokens: { input: 7n } },
  },
  {
    sender: "a tool",
    span: { attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "add" } },
    says: { dialect: "genai", op: "tool", toolName: "add" },
  },
  {
    sender: "a memory",
    span: { attributes: { "gen_ai.operation.name": "search_memory" } },
    says: { dialect: "genai", op: "memory" },
  },
  {
    sender: "LangGraph's model by OpenInference",
    span: {
      scope: "@arizeai/openinference-instrumentation-langchain",
      name: "ChatAnthropic",
      attributes: {
        "openinference.span.kind": "LLM",
        "llm.token_count.prompt": 130,
        "llm.token_count.prompt_details.cache_read": 100,
        "llm.token_count.completion": 5,
        "llm.token_count.total": 135,
        metadata: `{"session_id":"s-2","aos.task_id":"${TASK}","langgraph_step":1,"ls_provider":"anthropic","ls_model_name":"claude-opus-4-8"}`,
        "session.id": "s-2",
      },
    },
    says: {
      ...{ dialect: "openinference", op: "llm", usageRole: "leaf", conversation: "s-2", taskId: TASK },
      ...{ provider: "anthropic", model: "claude-opus-4-8" },
      tokens: { input: 130n, cacheRead: 100n, output: 5n },
    },
  },
  {
    sender: "OpenInference with a cost and older names",
    span: {
      attributes: {
        "openinference.span.kind": "LLM",
        "llm.model_name": "gpt-5",
        "llm.system": "openai",
        "llm.token_count.prompt": 50,
        "llm.token_count.prompt_details.cache_input": 40,
        "llm.token_count.prompt_details.cache_write": 5,
        "llm.token_count.completion": 9,
        "llm.token_count.completion_details.reasoning": 4,
        "llm.cost.total": 1.5,
      },
    },
    says: {
      ...{ dialect: "openinference", op: "llm", usageRole: "leaf", provider: "openai", model: "gpt-5" },
      tokens: { input: 50n, cacheRead: 40n, cacheWrite: 5n, output: 9n, reasoning: 4n },
      costPico: 1_500_000_000_000n,
    },
  },
  {
    sender: "an OpenInference chain",
    span: { attributes: { "openinference.span.kind": "CHAIN", "session.id": "s-2", metadata: "{broken" } },
    says: { dialect: "openinference", op: "workflow", conversation: "s-2" },
  },
  {
    sender: "an OpenInference tool",
    span: { attributes: { "openinference.span.kind": "TOOL", "tool.name": "add" } },
    says: { dialect: "openinference", op: "tool", toolName: "add" },
  },
  {
    sender: "the AI SDK's call",
    span: {
      scope: "ai",
      name: "ai.generateText.doGenerate",
      attributes: {
        "operation.name": "ai.generateText.doGenerate f",
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.model.provider": "anthropic.messages",
        "ai.model.id": "claude-opus-4-8",
        "ai.telemetry.metadata.aos.task_id": TASK,
        "ai.telemetry.metadata.sessionId": "s-1",
        "gen_ai.system": "anthropic.messages",
        "gen_ai.request.model": "claude-opus-4-8",
        "ai.response.id": "msg_1",
        "ai.usage.inputTokens": 120,
        "ai.usage.inputTokenDetails.noCacheTokens": 20,
        "ai.usage.inputTokenDetails.cacheReadTokens": 100,
        "ai.usage.inputTokenDetails.cacheWriteTokens": 0,
        "ai.usage.outputTokens": 7,
        "ai.usage.outputTokenDetails.reasoningTokens": 2,
        "ai.usage.reasoningTokens": 2,
        "ai.usage.cachedInputTokens": 100,
        "gen_ai.response.finish_reasons": ["tool-calls"],
        "gen_ai.response.id": "msg_1",
        "gen_ai.response.model": "claude-opus-4-8",
        "gen_ai.usage.input_tokens": 120,
        "gen_ai.usage.output_tokens": 7,
      },
    },
    says: {
      ...{ dialect: "ai_sdk", op: "llm", usageRole: "leaf", provider: "anthropic", model: "claude-opus-4-8" },
      ...{ responseId: "msg_1", conversation: "s-1", taskId: TASK },
      tokens: { input: 120n, cacheRead: 100n, cacheWrite: 0n, output: 7n, reasoning: 2n },
    },
  },
  {
    sender: "what the AI SDK puts around its calls, with their sum",
    span: {
      scope: "ai",
      name: "ai.generateText",
      attributes: {
        "ai.operationId": "ai.generateText",
        "ai.model.provider": "anthropic.messages",
        "ai.model.id": "claude-opus-4-8",
        "ai.usage.inputTokens": 240,
        "ai.usage.cachedInputTokens": 200,
        "ai.usage.outputTokens": 14,
      },
    },
    says: {
      ...{ dialect: "ai_sdk", op: "agent", usageRole: "aggregate", provider: "anthropic" },
      ...{ model: "claude-opus-4-8", tokens: { input: 240n, cacheRead: 200n, output: 14n } },
    },
  },
  ...(["ai.embed", "ai.embed.doEmbed"] as const).map((operation): SentCase => ({
    sender: operation,
    span: {
      scope: "ai",
      attributes: {
        "ai.operationId": operation,
        "ai.model.provider": "openai.embedding",
        "ai.model.id": "text-embedding-3-small",
        "ai.usage.tokens": 9,
      },
    },
    says: {
      ...{ dialect: "ai_sdk", provider: "openai", model: "text-embedding-3-small", tokens: { input: 9n } },
      ...(operation === "ai.embed"
        ? { op: "workflow" as const, usageRole: "aggregate" as const }
        : { op: "embedding" as const, usageRole: "leaf" as const }),
    },
  })),
  {
    sender: "the AI SDK's tool",
    span: { scope: "ai", attributes: { "ai.operationId": "ai.toolCall", "ai.toolCall.name": "add" } },
    says: { dialect: "ai_sdk", op: "tool", toolName: "add" },
  },
  {
    sender: "OpenLLMetry's call",
    span: {
      scope: "opentelemetry.instrumentation.openai.v1",
      attributes: {
        "llm.request.type": "chat",
        "gen_ai.system": "OpenAI",
        "gen_ai.response.model": "gpt-5",
        "gen_ai.usage.input_tokens": 12,
        "gen_ai.usage.cache_read_input_tokens": 4,
        "gen_ai.usage.completion_tokens": 3,
        "gen_ai.usage.reasoning_tokens": 1,
        "traceloop.association.properties.aos.task_id": TASK,
        "traceloop.association.properties.session_id": "s-3",
      },
    },
    says: {
      ...{ dialect: "openllmetry", op: "llm", usageRole: "leaf", provider: "OpenAI", model: "gpt-5" },
      ...{ conversation: "s-3", taskId: TASK },
      tokens: { input: 12n, cacheRead: 4n, output: 3n, reasoning: 1n },
    },
  },
  {
    sender: "OpenLLMetry's tool",
    span: { attributes: { "traceloop.span.kind": "tool", "traceloop.entity.name": "add" } },
    says: { dialect: "openllmetry", op: "tool", toolName: "add" },
  },
  {
    sender: "a program that has nothing to do with models",
    span: { scope: "http", name: "GET", attributes: { "http.request.method": "GET", "session.id": "s" } },
    says: { dialect: "plain", op: "other" },
  },
];
