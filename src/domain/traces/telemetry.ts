import type { SpanOp, TraceStatus, UsageRole } from "../../db/generated/enums.ts";
import type { Capture } from "./capture.ts";
import type { SpanLinks } from "./dialects/read-links.ts";
import type { Usage } from "./dialects/read-usage.ts";
import type { DropRule } from "./drop-rules/drop-rule.ts";
import type { Metered } from "../usage/metered.ts";
import type { SentScore } from "./scores/trace-score.ts";

/** JSON as senders' values are read. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Attributes in the order in which they were sent, as many as `SPAN_LIMITS` allows. */
export type Attributes = readonly (readonly [key: string, value: Json])[];

/** A span as it was sent, of any API, before it is checked. Ids are hex; instants are microseconds since 1970. */
export type SentSpan = {
  traceId: string;
  spanId: string;
  /** Empty without one. */
  parentSpanId: string;
  name: string;
  kind: number;
  startedAtUs: number;
  /** 0 while it is open. */
  endedAtUs: number;
  /** As in OTLP: 0 unset, 1 ok, 2 error. */
  statusCode: number;
  statusMessage: string;
  attributes: Attributes;
  events: readonly { name: string; atUs: number; attributes: Attributes }[];
  links: readonly { traceId: string; spanId: string; attributes: Attributes }[];
  /** How many attributes, events and links were left out. */
  dropped: number;
};

/** A record of a log as it was sent, of any API, before it is checked. Ids are hex. */
export type SentLog = {
  /** Empty without one. */
  traceId: string;
  spanId: string;
  /** Microseconds since 1970; 0 without a time. */
  atUs: number;
  eventName: string;
  body: Json;
  attributes: Attributes;
};

/** A call of a model as a log says it. */
export type LoggedCall = {
  /** The same in each copy. */
  key: string;
  signal: "log" | "agent_log";
  /** A UUID. */
  traceId: string;
  sessionKey: string;
  /** The agent that it names. */
  agent: string | null;
  provider: string | null;
  model: string | null;
  startedAtUs: number;
  usage: Usage;
  causes: SpanLinks;
};

/** A point of a metric as it was sent, of any API, before it is checked. */
export type SentPoint = {
  /** The metric's name. */
  metric: string;
  /** As in OTLP: 1 for what is new since `startedAtUs`, 2 for a sum that grows. */
  temporality: number;
  /** Microseconds since 1970; 0 without a time. */
  startedAtUs: number;
  atUs: number;
  /** Of a histogram the sum. Null without one. */
  value: number | null;
  attributes: Attributes;
};

/** A point of a metric of what calls of models used. */
export type MetricPoint = {
  /** A hash of all that identifies its series, but for its start. */
  series: string;
  isDelta: boolean;
  startedAtUs: number;
  atUs: number;
  /** What it counts. */
  counts: readonly Metered[];
  /** Tokens, or pico-dollars. */
  amount: bigint;
  /** The agent that it names. */
  agent: string | null;
  model: string | null;
  causes: SpanLinks;
};

/** A span to store. Objects are JSON text. */
export type TelemetrySpan = {
  /** Its place in the request, from 1. */
  number: number;
  /** A UUID. */
  traceId: string;
  /** In hex. */
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: number;
  op: SpanOp;
  status: TraceStatus;
  statusMessage: string | null;
  startedAtUs: number;
  /** Null while it is open. */
  endedAtUs: number | null;
  /** The agent that it names. */
  agent: string | null;
  conversationId: string | null;
  /** The trace of what a coding agent's logs say of the conversation, a UUID. */
  sessionTraceId: string | null;
  scope: string | null;
  provider: string | null;
  model: string | null;
  toolName: string | null;
  usageRole: UsageRole;
  /** Null if it says none that counts. */
  usage: Usage | null;
  /** What it names as its cause. */
  causes: SpanLinks;
  attributes: string;
  events: string | null;
  links: string | null;
  input: string | null;
  output: string | null;
  /** Its place in the batch's resources. */
  resource: number;
  dropped: number;
  redactions: number;
};

/** How much can't be stored, and why the first of it can't. */
export type RejectedSpans = { word: "span" | "record" | "point"; count: number; reasons: string[] };

/** What one request sent. */
export type TelemetryBatch = {
  spans: TelemetrySpan[];
  calls: LoggedCall[];
  points: MetricPoint[];
  /** At most 100: others are only events. */
  scores: SentScore[];
  /** How many spans, records or points it has. */
  count: number;
  /** How many of them say nothing of an agent's work, or are not stored by a rule. */
  dropped: number;
  /** The latter, for each rule. */
  droppedByRules: number[];
  /** JSON text. */
  resources: string[];
  rejected: RejectedSpans;
};

/** What has to be known to read what was sent. */
export type ReadOptions = {
  capture: Capture;
  /** Which spans are not stored. */
  dropRules: readonly DropRule[];
  /** Names people by hashes that differ between workspaces. */
  workspaceId: string;
  /** Microseconds since 1970. */
  nowUs: number;
};

/** What one request sent, read when it is known that it is wanted. */
export type TelemetrySource = { read: (options: ReadOptions) => Promise<TelemetryBatch> };
