import { SOME_WORKSPACE, sql } from "../../db/sql.ts";
import type { SpanOp, UsageRole } from "../../db/generated/enums.ts";
import type { SpanCost } from "./span-cost.ts";
import { type Generations, SPAN_COLUMNS, TOKEN_COLUMNS } from "./span-columns.ts";
import type { StoredSpan } from "./stored-span.ts";

const TOKEN_NAMES = TOKEN_COLUMNS.map(([, name]) => name).join(", ");
const KEY = new Set(["trace_id", "span_id"]);
/** Attributes of a span's copies are merged up to this size in bytes, before they are compressed. */
const MERGED_BYTES = 524_288;

const NAMES = SPAN_COLUMNS.map(({ name }) => name).join(", ");
const PARAMETERS = SPAN_COLUMNS.map(({ parameter }, at) => toSetSql(`$${at + 4}`, parameter)).join(", ");
const VALUES = SPAN_COLUMNS.map(({ name, value }) => `${value ?? `g.${name}`} AS ${name}`).join(", ");

/** A list in JSON needs no escapes, which take long for large texts. */
function toSetSql(place: string, parameter: string | undefined): string {
  return parameter === undefined
    ? `jsonb_array_elements(${place}::jsonb)`
    : `unnest(${place}::${parameter}[])`;
}

/** The parameters of {@link STORE_SPANS} after the first three. */
export function toSpanColumns(spans: readonly StoredSpan[], generations: Generations): unknown[] {
  return SPAN_COLUMNS.map(({ read, parameter }) => {
    const values = spans.map((span) => read(span, generations));
    return parameter === undefined ? `[${values.join(",")}]` : values;
  });
}

/** A stored span that has ended is only completed by a copy that has not. */
const IS_LATE = "(s.ended_at IS NOT NULL AND EXCLUDED.ended_at IS NULL)";
/** The ids of the service's spans can be foreseen: what a sender stored under one gives way, but for its usage. */
const IS_TAKEN = "(s.credential_agent_id IS NOT NULL AND EXCLUDED.credential_agent_id IS NULL)";

const CHANGES = SPAN_COLUMNS.filter(({ name }) => !KEY.has(name))
  .map(({ name, isOptional, change }) => `${name} = ${change ?? toChange(name, isOptional === true)}`)
  .join(", ");

function toChange(name: string, isOptional: boolean): string {
  const [stored, given] = [`s.${name}`, `EXCLUDED.${name}`];
  if (name === "attributes") {
    const merged = `CASE WHEN ${IS_LATE} THEN ${given} || ${stored} ELSE ${stored} || ${given} END`;
    const isAlone = `${IS_TAKEN} OR pg_column_size(${stored} || ${given}) > ${MERGED_BYTES}`;
    return `CASE WHEN ${isAlone} THEN ${given} ELSE ${merged} END`;
  }
  const newer = isOptional ? `COALESCE(${given}, ${stored})` : given;
  const older = isOptional ? `COALESCE(${stored}, ${given})` : stored;
  return `CASE WHEN ${IS_TAKEN} THEN ${given} WHEN ${IS_LATE} THEN ${older} ELSE ${newer} END`;
}

/** What a span counts as in the sums of its trace. */
const COUNTED = `1 AS spans, (ended_at IS NULL)::int AS opened, (status = 'error')::int AS failed,
    (op = 'llm')::int AS llm, (op = 'tool')::int AS tool, (op <> 'other')::int AS work`;

/**
 * The order in which a span of a trace is taken for its root. Of spans that began in the same millisecond, which is all
 * that many senders say of a beginning, the one that ended last holds the others.
 */
export const ROOT_FIRST =
  "parent_span_id IS NOT NULL, started_at, COALESCE(ended_at, '-infinity') DESC, span_id";

/** SQL for the status of a trace. */
export function toStatusSql(row: string): string {
  return `CASE WHEN ${row}.root_status <> 'unset' THEN ${row}.root_status
    WHEN ${row}.error_count > 0 THEN 'error' ELSE 'unset' END`;
}

/** A span with usage as all its copies say it. */
export type StoredUsage = {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  op: SpanOp;
  role: UsageRole;
  agentId: string;
  provider: string | null;
  model: string | null;
  startedAtUs: number;
  /** Those of {@link TOKEN_COLUMNS}, in their order. */
  tokens: (number | null)[];
  /** Whether it was stored before: then its cost may be that of other tokens. */
  isCopy: boolean;
} & SpanCost;

/**
 * How many spans are new, which are another agent's and which the service's own, in which traces times or parents were
 * corrected, which say what they used, which copies say that of the same as before, and which traces began, ended or
 * failed, or have their root now.
 */
type Stored = { added: number; used: StoredUsage[] } & Record<
  "foreign" | "own" | "corrected" | "same" | "turned",
  string[]
>;

/**
 * Stores spans of traces of one day, and adds the differences to the sums of the traces. Runs after the traces are
 * locked, since only then it sees what the holder before has stored: of traces in their first generation, nothing.
 * Values: workspace, day, the sender, columns.
 */
export const STORE_SPANS = sql<Stored>`
WITH given AS MATERIALIZED (SELECT ${VALUES} FROM ROWS FROM (${PARAMETERS}) g (${NAMES})),
old AS MATERIALIZED (
  SELECT o.* FROM given g CROSS JOIN LATERAL (
    SELECT s.trace_id, s.span_id, s.parent_span_id, s.started_at, s.ended_at, s.status, s.op, s.usage_role,
      s.cost_source, s.credential_agent_id FROM span s
    WHERE s.workspace_id = $1::uuid AND s.day = $2::date AND s.trace_id = g.trace_id AND s.span_id = g.span_id
    LIMIT 1
  ) o WHERE g.generation > 1
),
put AS (
  INSERT INTO span AS s (workspace_id, day, credential_agent_id, ${NAMES})
  SELECT $1::uuid, $2::date, $3::uuid, g.* FROM given g ORDER BY g.trace_id, g.span_id
  ON CONFLICT (workspace_id, day, trace_id, span_id) DO UPDATE SET
    credential_agent_id = EXCLUDED.credential_agent_id, ${CHANGES}
  WHERE s.credential_agent_id = EXCLUDED.credential_agent_id OR EXCLUDED.credential_agent_id IS NULL
  RETURNING trace_id, span_id, parent_span_id, name_id, started_at, ended_at, status, op, agent_id, provider, model,
    usage_role, ${TOKEN_NAMES}, cost_usd, cost_source, price_id
),
replaced AS (SELECT o.* FROM old o JOIN put USING (trace_id, span_id)),
sums AS MATERIALIZED (
  SELECT trace_id, min(started_at) AS started_at, max(ended_at) AS ended_at, sum(spans * sign)::int AS spans, sum(opened * sign)::int AS opened,
    sum(failed * sign)::int AS failed, sum(llm * sign)::int AS llm, sum(tool * sign)::int AS tool,
    sum(work * sign)::int AS work
  FROM (
    SELECT trace_id, 1 AS sign, started_at, ended_at, ${COUNTED} FROM put
    UNION ALL SELECT trace_id, -1, NULL, NULL, ${COUNTED} FROM replaced
  ) counted GROUP BY trace_id
),
ids AS MATERIALIZED (SELECT array_agg(trace_id) AS ids FROM sums),
stored AS MATERIALIZED (
  SELECT * FROM trace WHERE workspace_id = ${SOME_WORKSPACE} AND id = ANY((SELECT ids FROM ids)::uuid[])
),
roots AS MATERIALIZED (
  SELECT DISTINCT ON (trace_id) trace_id, span_id, parent_span_id, name_id, status, started_at, ended_at FROM put
  ORDER BY trace_id, ${ROOT_FIRST}
),
next AS (
  SELECT t.id, t.span_count + s.spans AS span_count, t.open_count + s.opened AS open_count,
    t.error_count + s.failed AS error_count, t.llm_count + s.llm AS llm_count, t.tool_count + s.tool AS tool_count,
    t.work_count + s.work AS work_count, LEAST(t.started_at, s.started_at) AS started_at,
    GREATEST(t.ended_at, s.ended_at) AS ended_at, COALESCE(r.span_id, t.root_span_id) AS root_span_id,
    CASE WHEN r.span_id IS NULL THEN t.root_parent_id ELSE r.parent_span_id END AS root_parent_id,
    CASE WHEN r.span_id IS NULL THEN t.root_name ELSE n.name END AS root_name,
    COALESCE(r.status, t.root_status) AS root_status, COALESCE(r.started_at, t.root_started_at) AS root_started_at,
    CASE WHEN r.span_id IS NULL THEN t.root_ended_at ELSE r.ended_at END AS root_ended_at,
    t.span_count = 0 AS was_empty, t.open_count > 0 AS was_open, t.root_parent_id IS NOT NULL AS was_incomplete,
    t.status AS old_status
  FROM stored t JOIN sums s ON s.trace_id = t.id
  LEFT JOIN roots r ON r.trace_id = t.id AND (
    t.root_span_id IS NULL OR t.root_span_id = r.span_id
    OR (r.parent_span_id IS NOT NULL, r.started_at, COALESCE(t.root_ended_at, '-infinity'), r.span_id)
      < (t.root_parent_id IS NOT NULL, t.root_started_at, COALESCE(r.ended_at, '-infinity'), t.root_span_id))
  LEFT JOIN span_name n ON n.workspace_id = $1::uuid AND n.id = r.name_id
),
summed AS (
  UPDATE trace t SET span_count = n.span_count, open_count = n.open_count, error_count = n.error_count,
    llm_count = n.llm_count, tool_count = n.tool_count, work_count = n.work_count,
    plumbing = n.work_count = 0 AND n.error_count = 0, started_at = n.started_at, ended_at = n.ended_at,
    root_span_id = n.root_span_id, root_parent_id = n.root_parent_id, root_name = n.root_name,
    root_status = n.root_status, root_started_at = n.root_started_at,
    root_ended_at = n.root_ended_at, status = ${toStatusSql("n")}
  FROM next n
  WHERE t.workspace_id = ${SOME_WORKSPACE} AND t.id = ANY((SELECT ids FROM ids)::uuid[]) AND t.id = n.id
  RETURNING t.id, n.was_empty OR n.was_open <> (n.open_count > 0) OR n.was_incomplete AND n.root_parent_id IS NULL
    OR n.old_status <> t.status AS is_turned
)
SELECT (SELECT count(*) FROM put)::int - (SELECT count(*) FROM replaced)::int AS added,
  ARRAY(
    SELECT concat(trace_id, ' ', encode(span_id, 'hex')) FROM given
    WHERE (trace_id, span_id) NOT IN (SELECT trace_id, span_id FROM put)
      AND (trace_id, span_id) NOT IN (SELECT trace_id, span_id FROM old WHERE credential_agent_id IS NULL)
  ) AS foreign,
  ARRAY(
    SELECT concat(trace_id, ' ', encode(span_id, 'hex')) FROM old
    WHERE credential_agent_id IS NULL AND (trace_id, span_id) NOT IN (SELECT trace_id, span_id FROM put)
  ) AS own,
  ARRAY(
    SELECT DISTINCT trace_id FROM replaced o JOIN put p USING (trace_id, span_id)
    WHERE p.started_at > o.started_at OR p.ended_at < o.ended_at
      OR (p.parent_span_id IS NULL) <> (o.parent_span_id IS NULL)
  ) AS corrected,
  (
    SELECT COALESCE(json_agg(json_build_object('traceId', p.trace_id, 'spanId', encode(p.span_id, 'hex'),
      'parentSpanId', encode(p.parent_span_id, 'hex'), 'op', p.op, 'role', p.usage_role, 'agentId', p.agent_id,
      'provider', p.provider, 'model', p.model, 'startedAtUs', (extract(epoch FROM p.started_at) * 1000000)::int8,
      'tokens', json_build_array(${TOKEN_NAMES}), 'costUsd', p.cost_usd::text, 'costSource', p.cost_source,
      'priceId', p.price_id, 'isCopy', o.span_id IS NOT NULL)), '[]')
    FROM put p LEFT JOIN replaced o USING (trace_id, span_id) WHERE p.usage_role <> 'none'
  ) AS used,
  ARRAY(
    SELECT concat(trace_id, ' ', encode(span_id, 'hex')) FROM replaced o JOIN put p USING (trace_id, span_id)
    WHERE p.usage_role = o.usage_role AND p.cost_source IS NOT DISTINCT FROM o.cost_source
      AND p.parent_span_id IS NOT DISTINCT FROM o.parent_span_id
  ) AS same,
  ARRAY(SELECT id FROM summed WHERE is_turned) AS turned`;

/** Corrects costs that were computed of other tokens than a span has after its copies were merged. */
export const CORRECT_COSTS = sql`
UPDATE span s SET cost_usd = g.cost_usd, cost_source = g.cost_source, price_id = g.price_id
FROM unnest($3::uuid[], $4::text[], $5::numeric[], $6::cost_source[], $7::text[])
  g (trace_id, span_id, cost_usd, cost_source, price_id)
WHERE s.workspace_id = $1::uuid AND s.day = $2::date AND s.trace_id = g.trace_id
  AND s.span_id = decode(g.span_id, 'hex')`;
