import type { AlertRule } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { formatMetric, nameMetric } from "../alerts/format-metric.ts";
import type { AlertNews } from "../emails/email.ts";
import type { Ctx } from "../kernel/context.ts";

/** The most alert rules in an email. */
const MOST = 20;

/** Reads the alert rules that have fired or were resolved since, those that fire now first. At most 20. */
export async function readAlertNews(ctx: Ctx, since: Date): Promise<AlertNews[]> {
  const rows = await ctx.read(READ, [ctx.workspaceId, since]);
  return rows.map(({ metric, value, threshold, ...news }) => ({
    ...news,
    metric: nameMetric(metric),
    value: value === null ? null : formatMetric(metric, value),
    threshold: formatMetric(metric, threshold),
  }));
}

type Row = Pick<AlertRule, "name" | "metric" | "value" | "threshold"> & Pick<AlertNews, "isFiring" | "at">;

const READ = sql<Row>`
SELECT name, metric::text, value, threshold, state = 'firing' AS "isFiring",
  CASE WHEN state = 'firing' THEN fired_at ELSE resolved_at END AS at
FROM alert_rule
WHERE workspace_id = $1::uuid AND (fired_at >= $2::timestamptz OR resolved_at >= $2::timestamptz)
  AND (state = 'firing' OR resolved_at IS NOT NULL)
ORDER BY state = 'firing' DESC, at DESC, name LIMIT ${MOST}`;
