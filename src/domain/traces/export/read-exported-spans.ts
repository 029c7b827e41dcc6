import { sql } from "../../../db/sql.ts";
import type { TraceStatus } from "../../../db/generated/enums.ts";
import type { Ctx } from "../../kernel/context.ts";
import type { SearchPosition } from "../search/search-position.ts";
import type { Json } from "../telemetry.ts";

type JsonObject = { [name: string]: Json };

/** A stored span, with all that was sent of it. */
export type ExportedSpan = {
  /** When its trace began to arrive. */
  createdAt: Date;
  /** The trace's UUID. */
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: number;
  status: TraceStatus;
  statusMessage: string | null;
  /** Microseconds since 1970. */
  startedAtUs: string;
  endedAtUs: string | null;
  scope: string | null;
  attributes: JsonObject;
  events: { name: string; time: string | null; attributes: JsonObject }[];
  links: { trace_id: string; span_id: string; attributes: JsonObject }[];
  resourceId: string;
  resource: JsonObject;
  dropped: number;
  redactions: number;
  agentId: string;
  /** The agent whose credential sent it; null for the service's own. */
  senderId: string | null;
  input: JsonObject | null;
  output: JsonObject | null;
};

/** Which spans are read: of traces that began to arrive in a time, after one of them, with their content or not. */
export type SpanSelection = {
  from: Date | null;
  until: Date | null;
  after: SearchPosition | null;
  content: boolean;
};

/** Spans of one statement: each may have half a megabyte. */
export const SPAN_BATCH = 50;

const FIRST: SearchPosition = {
  createdAt: new Date(0),
  id: "00000000-0000-0000-0000-000000000000",
  spanId: null,
};

/** Reads spans in the order of their traces' arrival, those of a trace in the order of their ids. */
export async function readExportedSpans(
  ctx: Ctx,
  { from, until, after, content }: SpanSelection,
): Promise<ExportedSpan[]> {
  const { createdAt, id, spanId } = after ?? FIRST;
  return ctx.read(SPANS, [ctx.workspaceId, from, until, createdAt, id, spanId ?? "", content]);
}

/** The inner limits make PostgreSQL read one trace after the other, each in the partition of its day. */
const SPANS = sql<ExportedSpan>`
SELECT s.created_at AS "createdAt", s.trace_id AS "traceId", encode(s.span_id, 'hex') AS "spanId",
  encode(s.parent_span_id, 'hex') AS "parentSpanId",
  COALESCE((SELECT n.name FROM span_name n WHERE n.workspace_id = $1::uuid AND n.id = s.name_id), '') AS name,
  s.kind, s.status, s.status_message AS "statusMessage",
  (extract(epoch FROM s.started_at) * 1000000)::int8::text AS "startedAtUs",
  (extract(epoch FROM s.ended_at) * 1000000)::int8::text AS "endedAtUs", s.scope, s.attributes,
  COALESCE(s.events, '[]') AS events, COALESCE(s.links, '[]') AS links, s.resource_id AS "resourceId",
  COALESCE((SELECT r.attributes FROM span_resource r WHERE r.workspace_id = $1::uuid AND r.id = s.resource_id), '{}')
    AS resource, s.dropped, s.redactions, s.agent_id AS "agentId", s.credential_agent_id AS "senderId", c.input, c.output
FROM (
  SELECT t.created_at, t.day, p.* FROM trace t CROSS JOIN LATERAL (
    SELECT o.trace_id, o.span_id, o.parent_span_id, o.name_id, o.kind, o.status, o.status_message, o.started_at,
      o.ended_at, o.scope, o.attributes, o.events, o.links, o.resource_id, o.dropped, o.redactions, o.agent_id,
      o.credential_agent_id
    FROM span o
    WHERE o.workspace_id = t.workspace_id AND o.day = t.day AND o.trace_id = t.id
      AND o.span_id > CASE WHEN t.id = $5::uuid THEN decode($6, 'hex') ELSE '' END
    ORDER BY o.span_id LIMIT ${SPAN_BATCH}
  ) p
  WHERE t.workspace_id = $1::uuid AND ($2::timestamptz IS NULL OR t.created_at >= $2)
    AND ($3::timestamptz IS NULL OR t.created_at < $3) AND (t.created_at, t.id) >= ($4::timestamptz, $5::uuid)
  ORDER BY t.created_at, t.id, p.span_id LIMIT ${SPAN_BATCH}
) s
LEFT JOIN LATERAL (
  SELECT o.input, o.output FROM span_content o
  WHERE $7::boolean AND o.workspace_id = $1::uuid AND o.day = s.day AND o.trace_id = s.trace_id AND o.span_id = s.span_id
  LIMIT 1
) c ON true
ORDER BY s.created_at, s.trace_id, s.span_id`;
