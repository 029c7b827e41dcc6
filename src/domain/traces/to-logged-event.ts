import { type DialectName, isCodingAgent } from "./dialects/dialect.ts";
import { type MappedSpan, mapSpan } from "./dialects/map-span.ts";
import { digest, toSessionTraceId } from "./session-trace.ts";
import type { Attributes, LoggedCall, ReadOptions, SentLog, TelemetrySpan } from "./telemetry.ts";
import { EVALUATION } from "./scores/to-score.ts";
import { type SpanPlace, toTelemetrySpan } from "./to-telemetry-span.ts";
import { isSpanId, isTraceId, toTraceUuid } from "./trace-ids.ts";

/** What a record of a log says: a span of its own, a call that is charged, or both. */
export type LoggedEvent = {
  span: TelemetrySpan | null;
  call: LoggedCall | null;
  /** Whether it evaluates the trace, or the span, that it names. */
  isEvaluation: boolean;
};

/** Events that say what a call of a model used. */
const CALLS: ReadonlySet<string> = new Set([
  ...["claude_code.api_request", "codex.sse_event", "gen_ai.client.inference.operation.details"],
]);

/** Other events of an agent's work. */
const EVENTS: ReadonlySet<string> = new Set([
  ...["claude_code.api_error", "claude_code.tool_decision", "claude_code.tool_result"],
  ...["codex.tool_decision", "codex.tool_result", EVALUATION],
]);

/** What Codex calls the content of a tool's call. */
const CONTENT_NAMES = new Map([
  ["arguments", "gen_ai.tool.call.arguments"],
  ["output", "gen_ai.tool.call.result"],
]);

/**
 * Reads a record. A coding agent's call is charged by its log; any other sender's is one more span around or within
 * the call. What names no trace is of the trace of its session.
 *
 * @returns null if it says nothing of an agent's work, a text why it can't be stored.
 */
export function toLoggedEvent(
  sent: SentLog,
  place: SpanPlace,
  options: ReadOptions,
): LoggedEvent | string | null {
  const event = findName(sent, place.scope ?? "");
  if (!CALLS.has(event) && !EVENTS.has(event)) return null;
  const attributes = [["event.name", event], ...listOthers(sent)] as const;
  const { scope, resourceAttributes: resource } = place;
  const mapped = mapSpan({ scope: scope ?? "", name: "", attributes, resource });
  const isAgent = isCodingAgent(mapped.dialect);
  const isCall = CALLS.has(event) && mapped.usage !== null;
  if (isAgent && CALLS.has(event) && !isCall) return null;
  const hasTrace = isTraceId(sent.traceId);
  const problem = findProblem(mapped, { isAgent, hasTrace });
  if (problem !== null) return problem;
  const atUs = findTime(sent, options.nowUs);
  const session = mapped.conversation ?? "";
  const traceId = hasTrace ? sent.traceId : toSessionTraceId(options.workspaceId, mapped.dialect, session);
  const key = mapped.requestId ?? mapped.responseId ?? digest([sent.atUs, event, sent.attributes]);
  const call = isCall && (isAgent || !hasTrace) ? toCall(mapped, { key, traceId, session, atUs }) : null;
  if (call !== null && hasTrace) return { span: null, call, isEvaluation: false };
  const span = toTelemetrySpan(
    {
      traceId,
      spanId: digest([event, key]).slice(0, 16),
      name: event,
      attributes,
      kind: 0,
      parentSpanId: hasTrace && isSpanId(sent.spanId) ? sent.spanId : "",
      startedAtUs: atUs - findDuration(sent),
      endedAtUs: atUs,
      statusCode: 0,
      statusMessage: "",
      events: [],
      links: [],
      dropped: 0,
    },
    place,
    options,
  );
  if (typeof span === "string") return span;
  if (isCall && (isAgent || hasTrace)) return { call, span, isEvaluation: false };
  const isWork = isCall || (!hasTrace && span.op === "tool");
  return {
    call,
    isEvaluation: hasTrace && event === EVALUATION,
    span: { ...span, op: isWork ? span.op : "other", usage: null, usageRole: "none" },
  };
}

/** Claude Code's names have no prefix everywhere. */
function findName({ eventName, body, attributes }: SentLog, scope: string): string {
  const said = attributes.find(([key]) => key === "event.name")?.[1];
  const texts = [said, eventName, body].filter((one) => typeof one === "string");
  const name = texts.find((one) => one !== "") ?? "";
  const isBare = scope.startsWith("com.anthropic.claude_code") && !name.includes(".");
  return isBare ? `claude_code.${name}` : name;
}

function listOthers({ attributes }: SentLog): Attributes {
  return attributes
    .filter(([key]) => key !== "event.name")
    .map(([key, value]) => [CONTENT_NAMES.get(key) ?? key, value] as const);
}

function findProblem(
  { conversation, usage }: MappedSpan,
  { isAgent, hasTrace }: { isAgent: boolean; hasTrace: boolean },
): string | null {
  if (usage?.isRejected === true) return "says tokens or a cost that no call has";
  if (conversation !== null || (hasTrace && !isAgent)) return null;
  return isAgent ? "names no session" : "names neither a trace nor a session";
}

/** Codex leaves out the record's times. */
function findTime({ atUs, attributes }: SentLog, nowUs: number): number {
  if (atUs > 0) return atUs;
  const said = attributes.find(([key]) => key === "event.timestamp")?.[1];
  const atMs = typeof said === "string" ? Date.parse(said) : NaN;
  return atMs > 0 ? atMs * 1000 : nowUs;
}

/** The longest time that a call is shown with. */
const DAY_MS = 86_400_000;

/** In microseconds. */
function findDuration({ attributes }: SentLog): number {
  const ms = Number(attributes.find(([key]) => key === "duration_ms")?.[1] ?? 0);
  return ms > 0 && ms <= DAY_MS ? Math.round(ms * 1000) : 0;
}

type CallPlace = { key: string; traceId: string; session: string; atUs: number };

function toCall(mapped: MappedSpan, { key, traceId, session, atUs }: CallPlace): LoggedCall | null {
  const { dialect, usage, usageRole, agent, provider, model, links } = mapped;
  if (usage === null || usageRole !== "leaf") return null;
  return {
    key,
    signal: getSignal(dialect),
    traceId: toTraceUuid(traceId),
    sessionKey: session,
    agent,
    provider,
    model,
    startedAtUs: atUs,
    usage,
    causes: links,
  };
}

function getSignal(dialect: DialectName): LoggedCall["signal"] {
  return isCodingAgent(dialect) ? "agent_log" : "log";
}
