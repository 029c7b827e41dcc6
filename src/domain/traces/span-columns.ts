import type { TokenKind } from "../prices/price.ts";
import type { StoredSpan } from "./stored-span.ts";
import { toInstantSql } from "./trace-statements.ts";

/**
 * A column of spans: the type of its parameter, how the parameter `g.name` becomes its value, and whether a copy that
 * leaves it out keeps the stored value.
 */
export type Column = {
  name: string;
  /** Of its elements. Without one, the parameter is a list in JSON. */
  parameter?: string;
  value?: string;
  isOptional?: boolean;
  /** How a copy changes it, if not by the usual rule. */
  change?: string;
  read: (span: StoredSpan, generations: Generations) => unknown;
};

/** The generations of the locked traces, which is when their spans come. */
export type Generations = ReadonlyMap<string, number>;

/** The columns of tokens. */
export const TOKEN_COLUMNS: readonly (readonly [kind: TokenKind, name: string])[] = [
  ["input", "input_tokens"],
  ["cacheRead", "cache_read_tokens"],
  ["cacheWrite", "cache_write_tokens"],
  ["cacheWrite1h", "cache_write1h_tokens"],
  ["output", "output_tokens"],
  ["reasoning", "reasoning_tokens"],
];

/** The columns of a stored span that its copies say. */
export const SPAN_COLUMNS: readonly Column[] = [
  { name: "trace_id", parameter: "uuid", read: ({ traceId }) => traceId },
  { name: "span_id", parameter: "text", value: "decode(g.span_id, 'hex')", read: ({ spanId }) => spanId },
  {
    name: "parent_span_id",
    parameter: "text",
    value: "decode(g.parent_span_id, 'hex')",
    // Once it is known, it stays: what is charged depends on who is within whom.
    change: "COALESCE(s.parent_span_id, EXCLUDED.parent_span_id)",
    read: ({ parentSpanId }) => parentSpanId,
  },
  { name: "name_id", parameter: "uuid", read: ({ nameId }) => nameId },
  { name: "kind", parameter: "int2", read: ({ kind }) => kind },
  { name: "op", parameter: "span_op", read: ({ op }) => op },
  { name: "status", parameter: "trace_status", read: ({ status }) => status },
  {
    name: "status_message",
    parameter: "text",
    isOptional: true,
    read: ({ statusMessage }) => statusMessage,
  },
  {
    name: "started_at",
    parameter: "int8",
    value: toInstantSql("g.started_at"),
    read: ({ startedAtUs }) => startedAtUs,
  },
  {
    name: "ended_at",
    parameter: "int8",
    value: toInstantSql("g.ended_at"),
    isOptional: true,
    read: ({ endedAtUs }) => endedAtUs,
  },
  { name: "agent_id", parameter: "uuid", read: ({ agentId }) => agentId },
  { name: "scope", parameter: "text", isOptional: true, read: ({ scope }) => scope },
  { name: "provider", parameter: "text", isOptional: true, read: ({ provider }) => provider },
  { name: "model", parameter: "text", isOptional: true, read: ({ model }) => model },
  { name: "tool_name", parameter: "text", isOptional: true, read: ({ toolName }) => toolName },
  { name: "attributes", read: ({ attributes }) => attributes },
  { name: "events", parameter: "jsonb", isOptional: true, read: ({ events }) => events },
  { name: "links", parameter: "jsonb", isOptional: true, read: ({ links }) => links },
  { name: "resource_id", parameter: "uuid", read: ({ resourceId }) => resourceId },
  { name: "dropped", parameter: "int4", read: ({ dropped }) => dropped },
  { name: "redactions", parameter: "int4", read: ({ redactions }) => redactions },
  {
    name: "generation",
    parameter: "int4",
    change: "EXCLUDED.generation",
    read: ({ traceId }, generations) => generations.get(traceId),
  },
  createUsageColumn("usage_role", "usage_role", ({ usageRole }) => usageRole),
  ...TOKEN_COLUMNS.map(([kind, name]) =>
    createUsageColumn(name, "int8", ({ usage }) => usage?.tokens[kind] ?? null),
  ),
  {
    name: "cost_usd",
    parameter: "numeric",
    read: ({ costUsd }) => costUsd,
    change: `CASE WHEN s.cost_source = 'sent' AND EXCLUDED.cost_source = 'sent'
        THEN GREATEST(s.cost_usd, EXCLUDED.cost_usd)
      WHEN s.cost_source = 'sent' OR EXCLUDED.cost_source IS NULL THEN s.cost_usd ELSE EXCLUDED.cost_usd END`,
  },
  {
    name: "cost_source",
    parameter: "cost_source",
    read: ({ costSource }) => costSource,
    change: `CASE WHEN s.cost_source = 'sent' OR EXCLUDED.cost_source IS NULL
      THEN s.cost_source ELSE EXCLUDED.cost_source END`,
  },
  {
    name: "price_id",
    parameter: "text",
    read: ({ priceId }) => priceId,
    change: `CASE WHEN s.cost_source = 'sent' OR EXCLUDED.cost_source IS NULL
      THEN s.price_id ELSE EXCLUDED.price_id END`,
  },
];

/** The larger of two copies, so that nobody lowers a bill by sending a call again. */
function createUsageColumn(name: string, parameter: string, read: (span: StoredSpan) => unknown): Column {
  return { name, parameter, change: `GREATEST(s.${name}, EXCLUDED.${name})`, read };
}
