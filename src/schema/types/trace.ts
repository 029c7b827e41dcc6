import { CostSource, SpanOp, TraceStatus, UsageRole } from "../../db/generated/enums.ts";
import { type TracePage, listTraces } from "../../domain/traces/list-traces.ts";
import { SpanStatus } from "../../domain/traces/lost-spans.ts";
import { readSkeleton } from "../../domain/traces/read-skeleton.ts";
import {
  type SpanContent,
  type SpanDetails,
  readSpan,
  readSpanContent,
} from "../../domain/traces/read-span.ts";
import { readTrace } from "../../domain/traces/read-trace.ts";
import { toTraceId } from "../../domain/traces/trace-ids.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";

export const TraceStatusEnum = addEnum(
  "TraceStatus",
  TraceStatus,
  "As OpenTelemetry says. Of a trace: its root's, or ERROR if that is UNSET and a span failed.",
);

const SpanStatusEnum = addEnum(
  "SpanStatus",
  SpanStatus,
  "As OpenTelemetry says, or LOST: it is open, but the agent that sent it has been offline for five minutes. It is " +
    "open again when the agent comes back.",
);

const SpanOpEnum = addEnum(
  "SpanOp",
  SpanOp,
  "What kind of an agent's work a span is. OTHER: none that is known.",
);

const UsageRoleEnum = addEnum(
  "UsageRole",
  UsageRole,
  "Whose usage a span says: LEAF that of one call, AGGREGATE a sum over the calls within it.",
);

const CostSourceEnum = addEnum(
  "CostSource",
  CostSource,
  "Where a cost is from: SENT by the span, a PRICE, or NONE if nobody knows it.",
);

/** Up to 20,000 spans are read. */
const SKELETON_COST = 500;
/** A span's attributes and content are read. */
const SPAN_COST = 10;

builder.scalarType("TraceSkeleton", {
  description:
    "The spans of a trace as columns of equal length, in the order of their ids: `id`, `parent`, `name` (places in " +
    "`names`), `model` (places in `models`), `kind`, `op`, `service` (whether it is a span of the service itself), " +
    "`status`, `start_us` (since the trace started), `duration_us` (null while open), `tokens`, `cost_usd` (a decimal " +
    "number), and `sum` (whether these are a sum over calls within). `next` is the `after` of the next page, or null.",
  serialize: (value) => value,
});

const SpanContentType = builder.objectRef<SpanContent>("SpanContent").implement({
  description: "What was said to and by a model, a tool or an agent, by the names of the span's attributes.",
  fields: (t) => ({
    input: t.expose("input", { type: "JSON", nullable: true }),
    output: t.expose("output", { type: "JSON", nullable: true }),
  }),
});

const Span = builder.objectRef<SpanDetails>("Span").implement({
  description: "A piece of an agent's work.",
  fields: (t) => ({
    spanId: t.exposeString("spanId"),
    parentSpanId: t.exposeString("parentSpanId", {
      nullable: true,
      description: "May be the id of a span that has not arrived.",
    }),
    name: t.exposeString("name"),
    kind: t.exposeInt("kind", { description: "As in OTLP, 0 to 5." }),
    op: t.expose("op", { type: SpanOpEnum }),
    status: t.expose("status", { type: SpanStatusEnum }),
    statusMessage: t.exposeString("statusMessage", { nullable: true }),
    startedAt: t.expose("startedAt", { type: "DateTime" }),
    endedAt: t.expose("endedAt", { type: "DateTime", nullable: true, description: "Null while it is open." }),
    durationMicroseconds: t.exposeFloat("durationUs", { nullable: true }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    scope: t.exposeString("scope", { nullable: true, description: "The library that measured it." }),
    provider: t.exposeString("provider", { nullable: true }),
    model: t.exposeString("model", { nullable: true }),
    toolName: t.exposeString("toolName", { nullable: true }),
    usageRole: t.expose("usageRole", { type: UsageRoleEnum }),
    inputTokens: t.exposeFloat("inputTokens", { nullable: true }),
    cacheReadTokens: t.exposeFloat("cacheReadTokens", { nullable: true }),
    cacheWriteTokens: t.exposeFloat("cacheWriteTokens", { nullable: true }),
    outputTokens: t.exposeFloat("outputTokens", { nullable: true }),
    reasoningTokens: t.exposeFloat("reasoningTokens", { nullable: true }),
    usageOdd: t.exposeBoolean("usageOdd", {
      description:
        "Whether parts of the tokens are more than their whole: then the sender counts in another way.",
    }),
    costUsd: t.expose("costUsd", { type: "Decimal", nullable: true, description: "Null if nobody knows." }),
    costSource: t.expose("costSource", {
      type: CostSourceEnum,
      nullable: true,
      description: "Null for a span without usage.",
    }),
    priceId: t.exposeString("priceId", { nullable: true, description: "The price that the cost is of." }),
    attributes: t.expose("attributes", { type: "JSON" }),
    events: t.expose("events", { type: "JSON", description: "A list of `{name, time, attributes}`." }),
    links: t.expose("links", { type: "JSON", description: "A list of `{trace_id, span_id, attributes}`." }),
    resource: t.expose("resource", { type: "JSON", description: "Attributes of the process." }),
    dropped: t.exposeInt("dropped", { description: "How many parts were left out or truncated." }),
    redactions: t.exposeInt("redactions", { description: "How many texts were changed to hide something." }),
    content: t.field({
      type: SpanContentType,
      nullable: true,
      description: "Null if none is stored, or not any more. Not for viewers.",
      complexity: SPAN_COST,
      resolve: ({ traceId, spanId }, _args, ctx) => readSpanContent(ctx, { id: traceId, spanId }),
    }),
  }),
});

builder.objectField(Span, "agent", (t) =>
  t.field({
    type: AgentNameType,
    nullable: true,
    description: "Null if the caller may not read agents.",
    resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
  }),
);

export const Trace = builder.prismaNode("Trace", {
  ...workspaceNode,
  description: "A tree of spans, with sums over them. Kept as long as the workspace's `traceRetentionDays`.",
  fields: (t) => ({
    traceId: t.string({ description: "32 hexadecimal digits.", resolve: ({ id }) => toTraceId(id) }),
    rootName: t.exposeString("rootName", {
      nullable: true,
      description: "The name of the span without a parent, or of the first one.",
    }),
    incomplete: t.boolean({
      description: "Whether no span without a parent has arrived.",
      resolve: ({ rootParentId }) => rootParentId !== null,
    }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "Null if the caller may not read agents.",
      resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
    }),
    conversationId: t.exposeString("conversationId", { nullable: true }),
    status: t.expose("status", { type: TraceStatusEnum }),
    spanCount: t.exposeInt("spanCount"),
    openCount: t.exposeInt("openCount", { description: "Spans that have not ended." }),
    errorCount: t.exposeInt("errorCount"),
    llmCount: t.exposeInt("llmCount"),
    toolCount: t.exposeInt("toolCount"),
    startedAt: t.expose("startedAt", { type: "DateTime" }),
    endedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Null while a span is open.",
      resolve: ({ endedAt, openCount }) => (openCount > 0 ? null : endedAt),
    }),
    generation: t.exposeInt("generation", { description: "Grows with each request with spans of it." }),
    firstSeenAt: t.expose("createdAt", { type: "DateTime", description: "When its first span arrived." }),
    skeleton: t.field({
      type: "TraceSkeleton",
      description:
        "What a waterfall shows of its spans, at most 20,000 at once. Names are cut at 200 characters.",
      args: { after: t.arg.string(), first: t.arg.int() },
      complexity: SKELETON_COST,
      resolve: ({ id }, { after, first }, ctx) => readSkeleton(ctx, { id, after, first }),
    }),
    span: t.field({
      type: Span,
      nullable: true,
      description: "One span. Null if there is none.",
      args: { spanId: t.arg.string({ required: true, description: "16 hexadecimal digits." }) },
      complexity: SPAN_COST,
      resolve: ({ id }, { spanId }, ctx) => readSpan(ctx, { id, spanId }),
    }),
  }),
});

const TraceAttribute = builder.inputType("TraceAttribute", {
  fields: (t) => ({
    key: t.string({ required: true }),
    value: t.string({ required: true, description: "Also finds the number or boolean that it reads as." }),
  }),
});

const TraceFilter = builder.inputType("TraceFilter", {
  description:
    "`name`, `attribute`, `tool`, `model`, `minCostUsd`, `minDurationMs` and `lost` search: forwards only, without a total, and a page may be short although " +
    "`hasNextPage` is true. `searchedUntil` says so.",
  fields: (t) => ({
    status: t.field({ type: TraceStatusEnum }),
    agentId: t.id(),
    conversationId: t.string({ description: "As spans say in `gen_ai.conversation.id`." }),
    taskUuid: t.field({ type: "UUID", description: "As spans say in `aos.task_id`." }),
    missionUuid: t.field({ type: "UUID", description: "As spans say in `aos.mission_id`." }),
    evalRunUuid: t.field({ type: "UUID", description: "As spans say in `aos.eval.run_id`." }),
    from: t.field({ type: "DateTime", description: "Only traces that began to arrive then or later." }),
    until: t.field({ type: "DateTime", description: "Only traces that began to arrive earlier." }),
    plumbing: t.boolean({
      description:
        "Whether traces are listed too in which no span is known as an agent's work and none failed. Default false.",
    }),
    name: t.string({ description: "A part of the name of a span, in any case." }),
    attribute: t.field({
      type: TraceAttribute,
      description: "An attribute of a span: the one with the name, if both are given.",
    }),
    tool: t.string({ description: "The tool that a span uses, by its whole name." }),
    model: t.string({ description: "A model that a call of it used." }),
    minCostUsd: t.field({ type: "Decimal" }),
    minDurationMs: t.int({ description: "While a span is open, the trace goes on." }),
    lost: t.boolean({ description: "Whether one of its open spans is lost." }),
  }),
});

builder.queryFields((t) => ({
  trace: t.prismaField({
    type: Trace,
    description: "One trace.",
    args: { traceId: t.arg.string({ required: true, description: "32 hexadecimal digits." }) },
    resolve: (query, _root, { traceId }, ctx) => readTrace(ctx, { traceId }, query),
  }),
  traces: t.connection(
    {
      type: Trace,
      description: "Traces, those that began to arrive last first.",
      args: { offset: t.arg.int(), filter: t.arg({ type: TraceFilter }) },
      complexity: pageComplexity,
      resolve: async (_root, { filter, ...page }, ctx) => {
        const agentId = fromOptionalGlobalId("agentId", "Agent", filter?.agentId);
        const { taskUuid: taskId, missionUuid: missionId, evalRunUuid: evalRunId, ...given } = filter ?? {};
        const ids = { agentId, taskId, missionId, evalRunId };
        return toTraceConnection(await listTraces(ctx, page, { ...given, ...ids }));
      },
    },
    {
      fields: (c) => ({
        searchedUntil: c.field({
          type: "DateTime",
          nullable: true,
          description:
            "Up to when a search came that stopped before it found a whole page. It goes on after `endCursor`.",
          resolve: ({ searchedUntil }) => searchedUntil,
        }),
      }),
    },
  ),
}));

function toTraceConnection({ searchCursor, searchedUntil, ...page }: TracePage) {
  const connection = toConnection(page);
  const { pageInfo } = connection;
  return {
    ...connection,
    pageInfo: { ...pageInfo, endCursor: searchCursor ?? pageInfo.endCursor },
    searchedUntil,
  };
}
