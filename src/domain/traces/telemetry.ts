import type { CaptureContent, SpanOp, TraceStatus, UsageRole } from "../../db/generated/enums.ts";
import type { SpanLinks } from "./dialects/read-links.ts";
import type { Usage } from "./dialects/read-usage.ts";

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

/** How many spans can't be stored, and why the first of them can't. */
export type RejectedSpans = { count: number; reasons: string[] };

/** What one request sent. */
export type TelemetryBatch = {
  spans: TelemetrySpan[];
  /** JSON text. */
  resources: string[];
  rejected: RejectedSpans;
};

/** What has to be known to read what was sent. */
export type ReadOptions = {
  capture: CaptureContent;
  /** Names people by hashes that differ between workspaces. */
  workspaceId: string;
  /** Microseconds since 1970. */
  nowUs: number;
};

/** What one request sent, read when it is known that it is wanted. */
export type TelemetrySource = { read: (options: ReadOptions) => Promise<TelemetryBatch> };
