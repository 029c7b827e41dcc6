import { type OtlpMessage, createRequest, textAttribute } from "./otlp.ts";

type Values = Record<string, string | number>;

/** A request with records of one process. */
export function createLogsRequest(
  records: readonly unknown[],
  { scope = "test", resource = [] }: { scope?: string; resource?: readonly OtlpMessage[] } = {},
): OtlpMessage {
  const logs = { scope: { name: scope }, logRecords: records };
  return { resourceLogs: [{ resource: { attributes: resource }, scopeLogs: [logs] }] };
}

/** A record with these attributes. Numbers are written as each sender writes them. */
export function createRecord(values: Values, given: OtlpMessage = {}): OtlpMessage {
  return { timeUnixNano: "1795345643793000000", attributes: toAttributes(values), ...given };
}

export function toAttributes(values: Values): OtlpMessage[] {
  return Object.entries(values).map(([key, value]) =>
    typeof value === "string" ? textAttribute(key, value) : { key, value: { intValue: value } },
  );
}

/** What Claude Code sends of one turn with two calls, of 350 and 400 millionths of a dollar. */
export const CLAUDE = {
  events: "com.anthropic.claude_code.events",
  tracing: "com.anthropic.claude_code.tracing",
  session: "0f3a2b1c-5d6e-4f70-8a9b-1c2d3e4f5a6b",
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  interaction: "c5f7401e4d64cbec",
};

const TOKENS = [
  { input_tokens: 10, output_tokens: 5, cache_read_tokens: 100, cache_creation_tokens: 20 },
  { input_tokens: 20, output_tokens: 5, cache_read_tokens: 100, cache_creation_tokens: 20 },
];

/** Its records of calls. `ids`: whether they name the span around them. */
export function createClaudeLogs({ ids = true, requestIds = true } = {}): OtlpMessage {
  const records = TOKENS.map((tokens, at) =>
    createRecord(
      {
        ...{ "event.name": "api_request", "event.sequence": at, "session.id": CLAUDE.session },
        ...{ model: "claude-opus-4-8[1m]", cost_usd_micros: 350 + at * 50, duration_ms: "105" },
        ...(requestIds && { request_id: `req_${at}` }),
        ...Object.fromEntries(Object.entries(tokens).map(([key, count]) => [key, `${count}`])),
      },
      {
        body: { stringValue: "claude_code.api_request" },
        ...(ids && { traceId: CLAUDE.traceId, spanId: CLAUDE.interaction }),
      },
    ),
  );
  return createLogsRequest(records, { scope: CLAUDE.events });
}

/** Its spans of the same. */
export function createClaudeSpans({ requestIds = true } = {}): OtlpMessage {
  const times = { startTimeUnixNano: "1795345643688000000", endTimeUnixNano: "1795345643793000000" };
  const own = { traceId: CLAUDE.traceId, kind: 1, ...times };
  const calls = TOKENS.map((tokens, at) => ({
    ...{ ...own, spanId: `24dbe58f91d636b${at}`, parentSpanId: CLAUDE.interaction },
    name: "claude_code.llm_request",
    attributes: toAttributes({
      ...{ "span.type": "llm_request", "session.id": CLAUDE.session, model: "claude-opus-4-8[1m]" },
      ...(requestIds && { request_id: `req_${at}` }),
      ...tokens,
    }),
  }));
  const interaction = {
    ...{ ...own, spanId: CLAUDE.interaction, name: "claude_code.interaction" },
    attributes: toAttributes({ "span.type": "interaction", "session.id": CLAUDE.session }),
  };
  return withScope(createRequest([...calls, interaction]), CLAUDE.tracing);
}

export const CODEX = { scope: "codex_exec", session: "019aa1c0-0f4e-7bd1-9d3a-6f1f0e2d4c5b" };

/** What Codex logs of one turn: its call twice, once without tokens, without ids and without a time. */
export function createCodexLogs(): OtlpMessage {
  const own = {
    ...{ "event.name": "codex.sse_event", "event.kind": "response.completed" },
    ...{ "conversation.id": CODEX.session, model: "gpt-5.5" },
  };
  const given = { traceId: "", spanId: "", timeUnixNano: "0", observedTimeUnixNano: "1795345643793000000" };
  const counts = { input_token_count: "120", cached_token_count: "100", output_token_count: "7" };
  return createLogsRequest(
    [createRecord({ ...own, ...counts }, given), createRecord({ ...own, duration_ms: 12 }, given)],
    { scope: CODEX.scope },
  );
}

/** Its spans: the turn with its sum, the call without its model, and plumbing in traces of its own. */
export function createCodexSpans(): OtlpMessage {
  const times = { startTimeUnixNano: "1795345643688000000", endTimeUnixNano: "1795345643793000000" };
  const own = { traceId: "5cf92f3577b34da6a3ce929d0e0e4736", kind: 1, ...times };
  const spans = [
    {
      ...{ ...own, spanId: "1000000000000001", parentSpanId: "1000000000000002", name: "handle_responses" },
      attributes: toAttributes({
        ...{ "thread.id": 7, "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 7 },
        "gen_ai.usage.cache_read.input_tokens": 100,
      }),
    },
    {
      ...{ ...own, spanId: "1000000000000002", name: "session_task.turn" },
      attributes: toAttributes({
        ...{ model: "gpt-5.5", "conversation.id": CODEX.session, "thread.id": CODEX.session },
        ...{ "codex.turn.token_usage.input_tokens": 120, "codex.turn.token_usage.output_tokens": 7 },
        "codex.turn.token_usage.cached_input_tokens": 100,
      }),
    },
    { ...own, traceId: "6".repeat(32), spanId: "1000000000000003", name: "fs.read_file", attributes: [] },
  ];
  return withScope(createRequest(spans), CODEX.scope);
}

function withScope(request: OtlpMessage, name: string): OtlpMessage {
  // As createRequest makes it.
  const { resourceSpans } = request as { resourceSpans: { scopeSpans: OtlpMessage[] }[] };
  for (const { scopeSpans } of resourceSpans) for (const one of scopeSpans) one["scope"] = { name };
  return request;
}
