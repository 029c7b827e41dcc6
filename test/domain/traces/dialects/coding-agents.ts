import type { SentCase } from "./sent-case.ts";

/** Attributes as coding agents send them. */
export const CODING_AGENTS: SentCase[] = [
  {
    sender: "Claude Code's call",
    span: {
      scope: "com.anthropic.claude_code.tracing",
      name: "claude_code.llm_request",
      attributes: {
        "span.type": "llm_request",
        "session.id": "s-4",
        "gen_ai.system": "anthropic",
        "gen_ai.request.model": "claude-opus-4-8[1m]",
        model: "claude-opus-4-8[1m]",
        request_id: "req_1",
        input_tokens: 10,
        output_tokens: 5,
        cache_read_tokens: 100,
        cache_creation_tokens: 20,
      },
    },
    says: {
      ...{ dialect: "claude_code", op: "llm", usageRole: "leaf", provider: "anthropic" },
      ...{ model: "claude-opus-4-8[1m]", requestId: "req_1", conversation: "s-4" },
      tokens: { input: 130n, cacheRead: 100n, cacheWrite: 20n, output: 5n },
    },
  },
  {
    sender: "Claude Code's event of a call, with its cost, numbers as text",
    span: {
      scope: "com.anthropic.claude_code.events",
      attributes: {
        "event.name": "api_request",
        "session.id": "s-4",
        model: "claude-opus-4-8",
        request_id: "req_1",
        input_tokens: "10",
        output_tokens: "5",
        cache_read_tokens: "100",
        cache_creation_tokens: "20",
        cost_usd_micros: 350,
        cost_usd: 0.00035,
      },
    },
    says: {
      ...{ dialect: "claude_code", op: "llm", usageRole: "leaf", provider: "anthropic" },
      ...{ model: "claude-opus-4-8", requestId: "req_1", conversation: "s-4" },
      tokens: { input: 130n, cacheRead: 100n, cacheWrite: 20n, output: 5n },
      costPico: 350_000_000n,
    },
  },
  {
    sender: "Claude Code's tool",
    span: {
      scope: "com.anthropic.claude_code.tracing",
      attributes: { "span.type": "tool", tool_name: "Bash", "session.id": "s-4" },
    },
    says: { dialect: "claude_code", op: "tool", toolName: "Bash", conversation: "s-4" },
  },
  {
    sender: "Claude Code waiting for a person",
    span: { scope: "com.anthropic.claude_code.tracing", attributes: { "span.type": "tool.blocked_on_user" } },
    says: { dialect: "claude_code", op: "other" },
  },
  {
    sender: "Codex' call",
    span: {
      scope: "codex_exec",
      name: "handle_responses",
      attributes: {
        "thread.id": 7,
        "gen_ai.usage.input_tokens": 120,
        "gen_ai.usage.cache_read.input_tokens": 100,
        "gen_ai.usage.cache_write.input_tokens": 3,
        "gen_ai.usage.output_tokens": 7,
        "codex.usage.reasoning_output_tokens": 2,
        "codex.usage.total_tokens": 127,
      },
    },
    says: {
      ...{ dialect: "codex", op: "llm", usageRole: "leaf", provider: "openai" },
      tokens: { input: 120n, cacheRead: 100n, cacheWrite: 3n, output: 7n, reasoning: 2n },
    },
  },
  {
    sender: "Codex' turn, with its sum",
    span: {
      scope: "codex_exec",
      name: "session_task.turn",
      attributes: {
        model: "gpt-5.5",
        "conversation.id": "c-5",
        "thread.id": "c-5",
        "codex.turn.token_usage.input_tokens": 120,
        "codex.turn.token_usage.cached_input_tokens": 100,
        "codex.turn.token_usage.output_tokens": 7,
        "codex.turn.token_usage.reasoning_output_tokens": 2,
      },
    },
    says: {
      ...{ dialect: "codex", op: "agent", usageRole: "aggregate", provider: "openai", model: "gpt-5.5" },
      conversation: "c-5",
      tokens: { input: 120n, cacheRead: 100n, output: 7n, reasoning: 2n },
    },
  },
  {
    sender: "Codex' event of a call",
    span: {
      scope: "codex_exec",
      attributes: {
        "event.name": "codex.sse_event",
        "event.kind": "response.completed",
        "conversation.id": "c-5",
        model: "gpt-5.5",
        input_token_count: "120",
        cached_token_count: "100",
        output_token_count: "7",
        reasoning_token_count: "2",
      },
    },
    says: {
      ...{ dialect: "codex", op: "llm", usageRole: "leaf", provider: "openai", model: "gpt-5.5" },
      conversation: "c-5",
      tokens: { input: 120n, cacheRead: 100n, output: 7n, reasoning: 2n },
    },
  },
  {
    sender: "Codex' call without tokens",
    span: { scope: "codex_exec", name: "handle_responses", attributes: { "thread.id": 7 } },
    says: { dialect: "codex", op: "other" },
  },
];
