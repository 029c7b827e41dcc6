import { sql } from "../../db/sql.ts";
import { ROOT_FIRST, toStatusSql } from "./span-statements.ts";

/** How many spans are read again for one statement, so that a small request never costs as much as a large trace. */
const RECOUNTED_SPANS = 10_000;

/**
 * Reads the times and the root of traces of one day from their spans again, the smallest traces first. Those with too
 * many spans keep the earliest start, the latest end and the root that were ever sent.
 */
export const RECOUNT_TRACES = sql`
UPDATE trace t SET started_at = c.started_at, ended_at = c.ended_at, root_span_id = c.root_span_id,
  root_parent_id = c.root_parent_id, root_name = c.root_name, root_status = c.root_status,
  root_started_at = c.root_started_at, root_ended_at = c.root_ended_at,
  status = ${toStatusSql("c")}
FROM (
  SELECT g.id, m.started_at, m.ended_at, r.span_id AS root_span_id, r.parent_span_id AS root_parent_id,
    n.name AS root_name, r.status AS root_status, r.started_at AS root_started_at,
    r.ended_at AS root_ended_at, g.error_count
  FROM (
    SELECT id, error_count, sum(span_count) OVER (ORDER BY span_count, id) AS spans FROM trace
    WHERE workspace_id = $1::uuid AND id = ANY($3::uuid[])
  ) g
  CROSS JOIN LATERAL (
    SELECT min(started_at) AS started_at, max(ended_at) AS ended_at FROM span
    WHERE workspace_id = $1::uuid AND day = $2::date AND trace_id = g.id
  ) m
  CROSS JOIN LATERAL (
    SELECT span_id, parent_span_id, name_id, status, started_at, ended_at FROM span
    WHERE workspace_id = $1::uuid AND day = $2::date AND trace_id = g.id
    ORDER BY ${ROOT_FIRST} LIMIT 1
  ) r
  LEFT JOIN span_name n ON n.workspace_id = $1::uuid AND n.id = r.name_id
  WHERE g.spans <= ${RECOUNTED_SPANS}
) c
WHERE t.workspace_id = $1::uuid AND t.id = c.id`;
