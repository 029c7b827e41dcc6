import { type Statement, allowLag, buildStatement } from "../../db/sql.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Metric, MetricGroup } from "./metrics.ts";

/** A bucket with rows. `key` is null for the series of all that are not among the largest. */
export type Bucket = { key: string | null; place: number; bucket: Date; value: number | null };

/**
 * Builds the statement of a metric: $1 workspace, $2 from, $3 to, $4 seconds per bucket. Without a `group`,
 * or for rows without a value for it, the key is empty.
 */
export function timeseriesStatement(metric: Metric, group: MetricGroup | null): Statement<Bucket> {
  const column = group === null ? null : metric.groups[group];
  const { sample, size, value } = metric;
  const text = `
WITH sample AS MATERIALIZED (
  SELECT date_bin($4::int * interval '1 second', at, $2::timestamptz) AS bucket,
    ${column === null ? "''" : `COALESCE(${column}, '')`} AS key, ${sample.columns}
  FROM (${typeof metric.rows === "string" ? metric.rows : metric.rows(group)}) rows ${sample.isSum ? "GROUP BY 1, 2" : ""}
), ranked AS (
  SELECT key, row_number() OVER (ORDER BY ${size} DESC, key) AS place, count(*) OVER () AS keys
  FROM sample GROUP BY key
), named AS (
  SELECT key, LEAST(place, ${LIMITS.series}) AS place,
    CASE WHEN keys <= ${LIMITS.series} OR place < ${LIMITS.series} THEN key END AS shown
  FROM ranked
)
SELECT named.shown AS key, named.place::int, sample.bucket, (${value})::float8 AS value
FROM sample JOIN named USING (key)
GROUP BY 1, 2, 3 ORDER BY 2, 3`;
  // Unnamed, so that each range gets its own plan.
  return allowLag(buildStatement("", text));
}
