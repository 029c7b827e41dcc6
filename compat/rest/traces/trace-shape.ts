import { z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { graphql } from "../../../src/schema/graphql.ts";
import { dateTime, toWireEnum, uuid } from "../shared/shapes.ts";

export const STATUSES = ["unset", "ok", "error"] as const;

/** A parameter that is true or false. */
export const flag = z.enum(["true", "false"]).optional();

const status = z.enum(STATUSES);
const spanStatus = z.enum([...STATUSES, "lost"]).openapi({
  description: "`lost`: it is open, but the agent that sent it has been offline for five minutes.",
});
const op = z.string().openapi({
  description: "What kind of an agent's work it is; `other` if that is not known.",
  example: "llm",
});
export const traceId = z
  .string()
  .regex(/^[0-9a-fA-F]{32}$/, "must be 32 hexadecimal digits")
  .openapi({ description: "32 hexadecimal digits.", example: "4bf92f3577b34da6a3ce929d0e0e4736" });
export const spanId = z
  .string()
  .regex(/^[0-9a-fA-F]{16}$/, "must be 16 hexadecimal digits")
  .openapi({ description: "16 hexadecimal digits.", example: "00f067aa0ba902b7" });

/** An amount of money. */
export const dollars = z
  .string()
  .openapi({ description: "US dollars with 12 decimal places.", example: "0.003150000000" });

export const traceParameter = z.strictObject({ trace_id: traceId });
export const spanParameters = z.strictObject({ trace_id: traceId, span_id: spanId });

export const trace = z
  .strictObject({
    trace_id: traceId,
    root_name: z.string().nullable(),
    incomplete: z.boolean().openapi({ description: "Whether no span without a parent has arrived." }),
    agent_id: uuid,
    conversation_id: z.string().nullable(),
    status,
    span_count: z.int(),
    open_count: z.int().openapi({ description: "Spans that have not ended." }),
    lost: z.boolean().openapi({ description: "Whether one of its open spans is `lost`." }),
    error_count: z.int(),
    llm_count: z.int(),
    tool_count: z.int(),
    task_id: uuid.nullable().openapi({ description: "The task that its spans name." }),
    mission_id: uuid.nullable(),
    eval_run_id: uuid.nullable().openapi({ description: "The evaluation run that its spans name." }),
    eval_item_key: z.string().nullable().openapi({ description: "The item of that run." }),
    input_tokens: z.int().openapi({ description: "Of the calls in it, each once." }),
    cache_read_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: dollars,
    unpriced_calls: z.int().openapi({ description: "Calls whose cost nobody knows." }),
    models: z.array(z.string()),
    started_at: dateTime,
    ended_at: dateTime.nullable().openapi({ description: "Null while a span is open." }),
    duration_ms: z.int().nullable(),
    generation: z.int(),
    first_seen_at: dateTime,
  })
  .openapi("Trace", { description: "A tree of spans, with sums over them." });

export const TraceFields = graphql(`
  fragment TraceFields on Trace {
    trace_id: traceId
    root_name: rootName
    incomplete
    agent_id: agentUuid
    conversation_id: conversationId
    status
    span_count: spanCount
    open_count: openCount
    lost
    error_count: errorCount
    llm_count: llmCount
    tool_count: toolCount
    task_id: taskUuid
    mission_id: missionUuid
    eval_run_id: evalRunUuid
    eval_item_key: evalItemKey
    input_tokens: inputTokens
    cache_read_tokens: cacheReadTokens
    output_tokens: outputTokens
    cost_usd: costUsd
    unpriced_calls: unpricedCalls
    models
    started_at: startedAt
    ended_at: endedAt
    generation
    first_seen_at: firstSeenAt
  }
`);

/** Converts a trace to the REST shape. */
export function traceJson(node: ResultOf<typeof TraceFields>) {
  const { started_at: start, ended_at: end } = node;
  return {
    ...node,
    status: toWireEnum(node.status),
    duration_ms: end === null ? null : new Date(end).getTime() - new Date(start).getTime(),
  };
}

/** A span as it is listed. */
export const listedSpan = z
  .strictObject({
    span_id: spanId,
    parent_span_id: spanId.nullable(),
    name: z.string(),
    kind: z.int().openapi({ description: "As in OTLP, 0 to 5." }),
    op,
    service: z.boolean().openapi({ description: "Whether it is a span of the service itself." }),
    status: spanStatus,
    start_us: z.int().openapi({ description: "Microseconds since the trace started." }),
    duration_us: z.int().nullable().openapi({ description: "Null while it is open." }),
    model: z.string().nullable(),
    tokens: z.int().nullable().openapi({ description: "Of the whole prompt and the answer." }),
    cost_usd: dollars.nullable().openapi({ description: "Null if nobody knows it." }),
    is_sum: z.boolean().openapi({ description: "Whether tokens and cost are a sum over calls within it." }),
  })
  .openapi("ListedSpan");

/** Columns of equal length. @see TraceSkeleton in schema.graphql */
export type Skeleton = {
  names: string[];
  name: number[];
  id: string[];
  parent: (string | null)[];
  kind: number[];
  op: string[];
  service: boolean[];
  status: string[];
  start_us: number[];
  duration_us: (number | null)[];
  models: string[];
  model: (number | null)[];
  tokens: (number | null)[];
  cost_usd: (string | null)[];
  sum: boolean[];
  next: string | null;
};

/** Converts the columns of a skeleton to spans. */
export function listedSpansJson({ names, name, models, model, id, parent, ...columns }: Skeleton) {
  return id.map((one, at) => ({
    span_id: one,
    parent_span_id: parent[at] ?? null,
    name: names[name[at] ?? 0] ?? "",
    kind: columns.kind[at] ?? 0,
    op: columns.op[at] ?? "",
    service: columns.service[at] ?? false,
    status: columns.status[at] ?? "",
    start_us: columns.start_us[at] ?? 0,
    duration_us: columns.duration_us[at] ?? null,
    model: models[model[at] ?? -1] ?? null,
    tokens: columns.tokens[at] ?? null,
    cost_usd: columns.cost_usd[at] ?? null,
    is_sum: columns.sum[at] ?? false,
  }));
}

const attributes = z.record(z.string(), z.unknown());

const content = z
  .strictObject({ input: attributes.nullable(), output: attributes.nullable() })
  .openapi("SpanContent", { description: "Prompts, answers and arguments, by the names of attributes." });

export const span = z
  .strictObject({
    span_id: spanId,
    parent_span_id: spanId.nullable(),
    name: z.string(),
    kind: z.int().openapi({ description: "As in OTLP, 0 to 5." }),
    op,
    status: spanStatus,
    status_message: z.string().nullable(),
    started_at: dateTime,
    ended_at: dateTime.nullable().openapi({ description: "Null while it is open." }),
    duration_us: z.int().nullable(),
    agent_id: uuid,
    scope: z.string().nullable().openapi({ description: "The library that measured it." }),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    tool_name: z.string().nullable(),
    usage_role: z.enum(["none", "aggregate", "leaf"]).openapi({
      description: "Whose usage it says: that of one call, or a sum over the calls within it.",
    }),
    input_tokens: z.int().nullable(),
    cache_read_tokens: z.int().nullable(),
    cache_write_tokens: z.int().nullable(),
    output_tokens: z.int().nullable(),
    reasoning_tokens: z.int().nullable(),
    usage_odd: z.boolean().openapi({
      description:
        "Whether parts of the tokens are more than their whole: then the sender counts in another way.",
    }),
    cost_usd: dollars.nullable(),
    cost_source: z
      .enum(["sent", "price", "none"])
      .nullable()
      .openapi({ description: "Where the cost is from; `none` if nobody knows it." }),
    price_id: z.string().nullable(),
    attributes,
    events: z.array(z.strictObject({ name: z.string(), time: dateTime.nullable(), attributes: attributes })),
    links: z.array(z.strictObject({ trace_id: traceId, span_id: spanId, attributes })),
    resource: attributes.openapi({ description: "Attributes of the process." }),
    dropped: z.int().openapi({ description: "How many parts were left out or truncated." }),
    redactions: z.int().openapi({ description: "How many texts were changed to hide something." }),
    content: content.nullable().optional().openapi({
      description: "With `content=true`. Null if none is stored, or not any more.",
    }),
  })
  .openapi("Span", { description: "A piece of an agent's work." });

export const SpanFields = graphql(`
  fragment SpanFields on Span {
    span_id: spanId
    parent_span_id: parentSpanId
    name
    kind
    op
    status
    status_message: statusMessage
    started_at: startedAt
    ended_at: endedAt
    duration_us: durationMicroseconds
    agent_id: agentUuid
    scope
    provider
    model
    tool_name: toolName
    usage_role: usageRole
    input_tokens: inputTokens
    cache_read_tokens: cacheReadTokens
    cache_write_tokens: cacheWriteTokens
    output_tokens: outputTokens
    reasoning_tokens: reasoningTokens
    usage_odd: usageOdd
    cost_usd: costUsd
    cost_source: costSource
    price_id: priceId
    attributes
    events
    links
    resource
    dropped
    redactions
  }
`);

/** Converts a span to the REST shape. */
export function spanJson(node: ResultOf<typeof SpanFields>) {
  return {
    ...node,
    op: toWireEnum(node.op),
    status: toWireEnum(node.status),
    usage_role: toWireEnum(node.usage_role),
    cost_source: node.cost_source === null ? null : toWireEnum(node.cost_source),
  };
}
