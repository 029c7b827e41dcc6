import { NOW, sql } from "../../db/sql.ts";

/** A trace whose row is locked. */
export type LockedTrace = {
  id: string;
  day: string;
  spanCount: number;
  generation: number;
};

/** SQL for a number of microseconds since 1970 as an instant. */
export function toInstantSql(microseconds: string): string {
  return `(timestamptz 'epoch' + ${microseconds} * interval '1 microsecond')`;
}

/**
 * Creates missing traces and locks all of them, in the order of their ids. A new one is plumbing from the start if its
 * spans are, so that adding them changes no index.
 */
export const LOCK_TRACES = sql<LockedTrace>`
INSERT INTO trace AS t (workspace_id, id, day, agent_id, conversation_id, task_id, mission_id, eval_run_id, eval_item_key,
  plumbing, started_at, created_at, updated_at)
SELECT $1::uuid, g.id, (${NOW} AT TIME ZONE 'UTC')::date, g.agent_id, g.conversation_id, g.task_id, g.mission_id,
  g.eval_run_id, g.eval_item_key, g.plumbing,
  ${toInstantSql("g.started_at_us")}, date_trunc('milliseconds', ${NOW}), date_trunc('milliseconds', ${NOW})
FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::bool[],
    $10::int8[])
  g (id, agent_id, conversation_id, task_id, mission_id, eval_run_id, eval_item_key, plumbing, started_at_us)
ORDER BY g.id
ON CONFLICT (workspace_id, id) DO UPDATE SET generation = t.generation + 1, updated_at = EXCLUDED.updated_at,
  conversation_id = COALESCE(t.conversation_id, EXCLUDED.conversation_id),
  task_id = COALESCE(t.task_id, EXCLUDED.task_id), mission_id = COALESCE(t.mission_id, EXCLUDED.mission_id),
  eval_run_id = COALESCE(t.eval_run_id, EXCLUDED.eval_run_id), eval_item_key = COALESCE(t.eval_item_key, EXCLUDED.eval_item_key)
RETURNING id, day::text, span_count AS "spanCount", generation`;

/** Which of these spans of a trace are stored. */
export const STORED_SPANS = sql<{ spanId: string }>`
SELECT encode(span_id, 'hex') AS "spanId" FROM span
WHERE workspace_id = $1::uuid AND day = $2::date AND trace_id = $3::uuid
  AND span_id = ANY(ARRAY(SELECT decode(id, 'hex') FROM unnest($4::text[]) id))`;

/**
 * Hides those of these traces whose sessions have another one. Whoever holds one of them comes here after us, since the
 * sessions are locked.
 */
export const HIDE_SESSION_TRACES = sql`
UPDATE trace SET plumbing = true WHERE workspace_id = $1::uuid AND id = ANY(ARRAY(
  SELECT s.id FROM trace s
  WHERE s.workspace_id = $1::uuid AND s.id = ANY($2::uuid[]) AND NOT s.plumbing AND EXISTS (
    SELECT 1 FROM trace t
    WHERE t.workspace_id = $1::uuid AND t.conversation_id = s.conversation_id AND t.agent_id = s.agent_id
      AND t.id <> s.id AND NOT t.plumbing)
  FOR UPDATE OF s SKIP LOCKED))`;

/** Stores names and resources that are not known today. Those that are known are not even locked. */
export const STORE_NAMES = sql`
WITH today AS (SELECT (${NOW} AT TIME ZONE 'UTC')::date AS day),
names AS (
  INSERT INTO span_name AS n (workspace_id, id, name, last_day)
  SELECT $1::uuid, g.id, g.name, today.day FROM unnest($2::uuid[], $3::text[]) g (id, name), today
  WHERE NOT EXISTS (
    SELECT 1 FROM span_name k WHERE k.workspace_id = $1::uuid AND k.id = g.id AND k.last_day >= today.day)
  ORDER BY g.id
  ON CONFLICT (workspace_id, id) DO UPDATE SET last_day = GREATEST(n.last_day, EXCLUDED.last_day)
)
INSERT INTO span_resource AS r (workspace_id, id, attributes, last_day)
SELECT $1::uuid, g.id, g.attributes, today.day FROM unnest($4::uuid[], $5::jsonb[]) g (id, attributes), today
WHERE NOT EXISTS (
  SELECT 1 FROM span_resource k WHERE k.workspace_id = $1::uuid AND k.id = g.id AND k.last_day >= today.day)
ORDER BY g.id
ON CONFLICT (workspace_id, id) DO UPDATE SET last_day = GREATEST(r.last_day, EXCLUDED.last_day)`;
