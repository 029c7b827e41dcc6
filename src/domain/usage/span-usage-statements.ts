import { NOW, SOME_WORKSPACE, type Statement, buildStatement, sql } from "../../db/sql.ts";

/** What a sender has said of a trace, now and before. */
export type NotedUsage = {
  traceId: string;
  sessionKey: string;
  taskId: string | null;
  hasCall: boolean;
  hasSentCall: boolean;
  hasSentSum: boolean;
  /** Null if it had said nothing. */
  before: {
    sessionKey: string;
    taskId: string | null;
    hasCall: boolean;
    hasSentCall: boolean;
    hasSentSum: boolean;
  } | null;
};

/**
 * Notes what spans of traces say of usage, and what they name: of several conversations and tasks, the first. Traces
 * of which nothing is said and was said are left out. The traces are locked.
 */
export const NOTE_USAGE = sql<NotedUsage>`
WITH given AS (
  SELECT * FROM unnest($3::uuid[], $4::text[], $5::uuid[], $6::bool[], $7::bool[], $8::bool[], $9::bool[])
    g (trace_id, conversation, task_id, is_used, has_call, has_sent_call, has_sent_sum)
),
old AS MATERIALIZED (
  SELECT u.* FROM given g CROSS JOIN LATERAL (
    SELECT * FROM usage_trace k
    WHERE k.workspace_id = $1::uuid AND k.sender_id = $2::uuid AND k.trace_id = g.trace_id LIMIT 1
  ) u
),
noted AS (
  INSERT INTO usage_trace AS u (workspace_id, sender_id, trace_id, session_key, task_id, has_call, has_sent_call,
    has_sent_sum, last_day)
  SELECT $1::uuid, $2::uuid, trace_id, COALESCE(conversation, trace_id::text), task_id, has_call, has_sent_call,
    has_sent_sum, (${NOW} AT TIME ZONE 'UTC')::date
  FROM given g
  WHERE is_used OR conversation IS NOT NULL OR task_id IS NOT NULL
    OR EXISTS (SELECT 1 FROM old o WHERE o.trace_id = g.trace_id)
  ON CONFLICT (workspace_id, trace_id, sender_id) DO UPDATE SET
    session_key = CASE WHEN u.session_key = u.trace_id::text THEN EXCLUDED.session_key ELSE u.session_key END,
    task_id = COALESCE(u.task_id, EXCLUDED.task_id), has_call = u.has_call OR EXCLUDED.has_call,
    has_sent_call = u.has_sent_call OR EXCLUDED.has_sent_call,
    has_sent_sum = u.has_sent_sum OR EXCLUDED.has_sent_sum, last_day = GREATEST(u.last_day, EXCLUDED.last_day)
  RETURNING *
)
SELECT n.trace_id AS "traceId", n.session_key AS "sessionKey", n.task_id AS "taskId", n.has_call AS "hasCall",
  n.has_sent_call AS "hasSentCall", n.has_sent_sum AS "hasSentSum",
  CASE WHEN o.trace_id IS NOT NULL THEN json_build_object('sessionKey', o.session_key, 'taskId', o.task_id,
    'hasCall', o.has_call, 'hasSentCall', o.has_sent_call, 'hasSentSum', o.has_sent_sum) END AS before
FROM noted n LEFT JOIN old o USING (trace_id)`;

/** Which of these calls ($3 to $7) have the same call within them, stored before. */
export const TWINS = sql<{ traceId: string; callKey: string }>`
SELECT g.trace_id AS "traceId", g.call_key AS "callKey"
FROM unnest($3::uuid[], $4::text[], $5::text[], $6::span_op[], $7::text[]) g (trace_id, call_key, parent_key, op, model)
CROSS JOIN LATERAL (
  SELECT 1 FROM usage_call c
  WHERE c.workspace_id = ${SOME_WORKSPACE} AND c.trace_id = g.trace_id AND c.parent_key = g.call_key AND c.signal = 'span'
    AND c.sender_id = $2::uuid AND c.role = 'leaf' AND c.call_key <> g.call_key
    AND c.call_key IS DISTINCT FROM g.parent_key AND c.op = g.op AND c.model IS NOT DISTINCT FROM g.model
  LIMIT 1
) found`;

/** The sums of traces that say a cost. */
export const SENT_SUMS = sql<{ traceId: string; spanId: string }>`
SELECT c.trace_id AS "traceId", c.call_key AS "spanId" FROM usage_call c
WHERE c.workspace_id = $1::uuid AND c.sender_id = $2::uuid AND c.trace_id = ANY($3::uuid[]) AND c.signal = 'span'
  AND c.role = 'aggregate' AND c.cost_source = 'sent'`;

type SpanName = { traceId: string; spanId: string };

/** Marks all spans within sums. */
export const MARK_WITHIN_SUMS = buildMarkStatement("within_sum", "p.usage_role = 'aggregate'");

/** Marks all spans within sums that say a cost. */
export const MARK_WITHIN_SENT_SUMS = buildMarkStatement(
  "within_sent_sum",
  "p.usage_role = 'aggregate' AND p.cost_source = 'sent'",
);

/**
 * Marks what is within sums of the same sender ($3), beginning at spans ($4, $5) of traces of one day: those among
 * them whose parent is a sum or within one, and all that is within those that are. A marked span stays marked and is
 * not visited again, so that each span costs once. Returns the spans that it marks.
 */
function buildMarkStatement(column: string, isSum: string): Statement<SpanName> {
  function at(row: string): string {
    return `${row}.workspace_id = $1::uuid AND ${row}.day = $2::date AND ${row}.credential_agent_id = $3::uuid`;
  }
  const passes = `(p.${column} OR (${isSum}))`;
  const unmarked = `NOT c.${column} AND c.parent_span_id <> c.span_id`;
  // With an offset, PostgreSQL looks up each span by an index instead of joining whole partitions.
  function find(row: string, condition: string): string {
    return `CROSS JOIN LATERAL (SELECT * FROM span ${row} WHERE ${at(row)} AND ${condition} OFFSET 0) ${row}`;
  }
  return buildStatement(
    `mark_${column}`,
    `WITH RECURSIVE given AS MATERIALIZED (
  SELECT g.trace_id, decode(g.span_id, 'hex') AS span_id FROM unnest($4::uuid[], $5::text[]) g (trace_id, span_id)
),
inner_spans (trace_id, span_id) AS (
  SELECT c.trace_id, c.span_id FROM given g
  ${find("c", `c.trace_id = g.trace_id AND c.span_id = g.span_id AND ${unmarked}`)}
  ${find("p", `p.trace_id = c.trace_id AND p.span_id = c.parent_span_id AND ${passes}`)}
  UNION
  SELECT c.trace_id, c.span_id FROM given g
  ${find("p", `p.trace_id = g.trace_id AND p.span_id = g.span_id AND ${passes}`)}
  ${find("c", `c.trace_id = p.trace_id AND c.parent_span_id = p.span_id AND ${unmarked}`)}
  UNION
  SELECT c.trace_id, c.span_id FROM inner_spans i
  ${find("c", `c.trace_id = i.trace_id AND c.parent_span_id = i.span_id AND ${unmarked}`)}
)
UPDATE span s SET ${column} = true FROM inner_spans i
WHERE ${at("s")} AND s.trace_id = i.trace_id AND s.span_id = i.span_id
RETURNING s.trace_id AS "traceId", encode(s.span_id, 'hex') AS "spanId"`,
  );
}

/**
 * Adds to the sums of traces, which are locked. Values: workspace, traces, their models as JSON, input tokens, those
 * read from a cache, output tokens, dollars, unpriced calls.
 */
export const ADD_TO_TRACES = sql`
UPDATE trace t SET input_tokens = t.input_tokens + g.input_tokens,
  cache_read_tokens = t.cache_read_tokens + g.cache_read_tokens, output_tokens = t.output_tokens + g.output_tokens,
  cost_usd = t.cost_usd + g.cost_usd, unpriced_calls = t.unpriced_calls + g.unpriced_calls,
  models = ARRAY(
    SELECT DISTINCT model FROM (
      SELECT unnest(t.models) UNION ALL SELECT jsonb_array_elements_text(g.models)
    ) m (model) ORDER BY model LIMIT 20)
FROM unnest($2::uuid[], $3::jsonb[], $4::int8[], $5::int8[], $6::int8[], $7::numeric[], $8::int4[])
  g (trace_id, models, input_tokens, cache_read_tokens, output_tokens, cost_usd, unpriced_calls)
WHERE t.workspace_id = ${SOME_WORKSPACE} AND t.id = g.trace_id`;
