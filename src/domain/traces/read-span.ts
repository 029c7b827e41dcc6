import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { CostSource, SpanOp, UsageRole } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireRole, requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { countReadBytes } from "../kernel/read-bytes.ts";
import { auditContentRead } from "./audit-content-read.ts";
import { SPAN_STATUS, type SpanStatus } from "./lost-spans.ts";
import { spanId } from "./trace-ids.ts";

/** A span with everything but its content. */
export type SpanDetails = {
  /** The UUID of its trace. */
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: number;
  op: SpanOp;
  status: SpanStatus;
  statusMessage: string | null;
  startedAt: Date;
  /** Null while it is open. */
  endedAt: Date | null;
  durationUs: number | null;
  agentId: string;
  scope: string | null;
  provider: string | null;
  model: string | null;
  toolName: string | null;
  usageRole: UsageRole;
  inputTokens: number | null;
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
  outputTokens: number | null;
  reasoningTokens: number | null;
  /** Whether parts of the tokens are more than their whole: then the sender counts in another way. */
  usageOdd: boolean;
  costUsd: string | null;
  costSource: CostSource | null;
  priceId: string | null;
  attributes: unknown;
  events: unknown;
  links: unknown;
  resource: unknown;
  dropped: number;
  redactions: number;
};

/** What was said to and by a model, a tool or an agent, by the names of attributes. */
export type SpanContent = { input: unknown; output: unknown };

const shape = z.object({
  /** The trace's UUID. */
  id: uuid,
  spanId,
});

/**
 * Reads one span; null if there is none.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed.
 */
export async function readSpan(ctx: Ctx, input: z.input<typeof shape>): Promise<SpanDetails | null> {
  requireScope(ctx, "traces:read");
  const asked = parseInput(shape, input);
  const [found] = await ctx.read(SPAN, [ctx.workspaceId, asked.id, asked.spanId]);
  if (found === undefined) return null;
  const { size, ...span } = found;
  countReadBytes(ctx, size);
  return span;
}

/**
 * Reads the content of a span; null if none is stored, or not any more.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; forbidden for people below operator;
 *   validation_failed.
 */
export async function readSpanContent(ctx: Ctx, input: z.input<typeof shape>): Promise<SpanContent | null> {
  requireScope(ctx, "traces:read");
  if (ctx.actor.type === "user") requireRole(ctx, "operator");
  const asked = parseInput(shape, input);
  const [found] = await ctx.read(CONTENT, [ctx.workspaceId, asked.id, asked.spanId]);
  if (found === undefined) return null;
  const { size, ...content } = found;
  countReadBytes(ctx, size);
  const changes = { span_id: asked.spanId };
  await auditContentRead(ctx, {
    action: "trace.content_read",
    targetType: "trace",
    targetId: asked.id,
    changes,
  });
  return content;
}

/** SQL for the bytes of JSON that may be stored compressed: those of a value that PostgreSQL has just made. */
function toSizeSql(json: string): string {
  return `COALESCE(pg_column_size(${json} || '{}'), 0)`;
}

/** The limit makes PostgreSQL look only into the partition of the trace's day. */
const SPAN = sql<SpanDetails & { size: number }>`
SELECT s.trace_id AS "traceId", encode(s.span_id, 'hex') AS "spanId",
  encode(s.parent_span_id, 'hex') AS "parentSpanId", COALESCE(n.name, '') AS name, s.kind, s.op, ${SPAN_STATUS} AS status,
  s.status_message AS "statusMessage", s.started_at AS "startedAt", s.ended_at AS "endedAt",
  (extract(epoch FROM s.ended_at - s.started_at) * 1000000)::float8 AS "durationUs", s.agent_id AS "agentId", s.scope,
  s.provider, s.model, s.tool_name AS "toolName", s.usage_role AS "usageRole",
  s.input_tokens::float8 AS "inputTokens", s.cache_read_tokens::float8 AS "cacheReadTokens",
  s.cache_write_tokens::float8 AS "cacheWriteTokens", s.output_tokens::float8 AS "outputTokens",
  s.reasoning_tokens::float8 AS "reasoningTokens",
  COALESCE(s.cache_read_tokens, 0) + COALESCE(s.cache_write_tokens, 0) > COALESCE(s.input_tokens, 0)
    OR COALESCE(s.cache_write1h_tokens, 0) > COALESCE(s.cache_write_tokens, 0)
    OR COALESCE(s.reasoning_tokens, 0) > COALESCE(s.output_tokens, 0) AS "usageOdd", s.cost_usd::text AS "costUsd", s.cost_source AS "costSource",
  s.price_id AS "priceId", s.attributes, COALESCE(s.events, '[]') AS events,
  COALESCE(s.links, '[]') AS links, COALESCE(r.attributes, '{}') AS resource, s.dropped, s.redactions,
  ${toSizeSql("s.attributes")} + ${toSizeSql("s.events")} + ${toSizeSql("s.links")} + ${toSizeSql("r.attributes")} AS size
FROM trace t CROSS JOIN LATERAL (
  SELECT * FROM span p
  WHERE p.workspace_id = t.workspace_id AND p.day = t.day AND p.trace_id = t.id AND p.span_id = decode($3, 'hex')
  LIMIT 1
) s
LEFT JOIN span_name n ON n.workspace_id = s.workspace_id AND n.id = s.name_id
LEFT JOIN span_resource r ON r.workspace_id = s.workspace_id AND r.id = s.resource_id
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;

const CONTENT = sql<SpanContent & { size: number }>`
SELECT c.input, c.output, ${toSizeSql("c.input")} + ${toSizeSql("c.output")} AS size
FROM trace t CROSS JOIN LATERAL (
  SELECT * FROM span_content p
  WHERE p.workspace_id = t.workspace_id AND p.day = t.day AND p.trace_id = t.id AND p.span_id = decode($3, 'hex')
  LIMIT 1
) c
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;
