import { NOW, type Statement, buildStatement } from "../../db/sql.ts";
import type { Services } from "../kernel/services.ts";
import { type Cleanup, cleanUpWorkspaces } from "../sweeps/clean-up.ts";

/** The most rows per statement, so that nobody waits long. */
const BATCH = 5000;

/** SQL for the UTC day of the time. */
const TODAY = `(${NOW} AT TIME ZONE 'UTC')::date`;

/** Which rows `r` of a workspace `w` are old. `key` identifies them within the workspace. */
type Rule = { table: string; key: string; isOld: string };

const TRACES_END = `${TODAY} - w.trace_retention_days`;
const CONTENT_END = `${TODAY} - LEAST(w.content_retention_days, w.trace_retention_days)`;

/** For how many days sums of usage are kept. */
const USAGE_DAYS = 400;

/** Traces go first, and with them everything that leads to their spans. */
const RULES: readonly Rule[] = [
  // Its day is that of its creation, which an index has.
  { table: "trace", key: "id", isOld: `r.created_at < (${TRACES_END})::timestamp AT TIME ZONE 'UTC'` },
  { table: "span_content", key: "day, trace_id, span_id", isOld: `r.day < ${CONTENT_END}` },
  { table: "span", key: "day, trace_id, span_id", isOld: `r.day < ${TRACES_END}` },
  { table: "span_name", key: "id", isOld: `r.last_day < ${TRACES_END}` },
  { table: "span_resource", key: "id", isOld: `r.last_day < ${TRACES_END}` },
  { table: "span_day", key: "day, slot", isOld: `r.day < ${TODAY}` },
  {
    table: "usage_call",
    key: "trace_id, call_key, signal",
    isOld: `r.charged_at < (${TRACES_END})::timestamp AT TIME ZONE 'UTC'`,
  },
  { table: "usage_trace", key: "trace_id, sender_id", isOld: `r.last_day < ${TRACES_END}` },
  { table: "usage_session", key: "sender_id, session_key", isOld: `r.last_day < ${TRACES_END}` },
  { table: "metric_series", key: "id, started_us", isOld: `r.kept_until < ${TODAY}` },
  {
    table: "usage_bucket",
    key: "dimension, period, key, start, slot",
    // By the index on these.
    isOld: `r.dimension = ANY(enum_range(NULL::usage_dimension)) AND r.period IN ('hour', 'day', 'month')
      AND r.start < (${TODAY} - ${USAGE_DAYS})::timestamp AT TIME ZONE 'UTC'`,
  },
];

/**
 * Cleanups of traces, all that belongs to them and what they used, by the day on which a trace began to arrive. Partitions of spans
 * are deleted whole when no workspace needs them; this deletes for workspaces that keep less than others do.
 *
 * @param now the time for ages. Only in tests.
 */
export function createTraceCleanups(services: Services, now: Date | null): Cleanup[] {
  return RULES.map((rule) => {
    const { due, remove } = buildStatements(rule);
    return cleanUpWorkspaces(services, now, {
      name: rule.table,
      actor: "retention",
      due,
      batch: (ctx) =>
        ctx.transaction(async (tx) => {
          const { length: deleted } = await tx.run(remove, [ctx.workspaceId]);
          return { deleted, hasMore: deleted === BATCH };
        }),
    });
  });
}

function buildStatements({ table, key, isOld }: Rule): { due: Statement<{ id: string }>; remove: Statement } {
  const rows = `${table} r WHERE r.workspace_id = w.id AND ${isOld}`;
  const columns = key.replaceAll(/(\w+)/g, "r.$1");
  return {
    due: buildStatement(`${table}_due`, `SELECT w.id FROM workspace w WHERE EXISTS (SELECT 1 FROM ${rows})`),
    remove: buildStatement(
      `${table}_remove`,
      `DELETE FROM ${table} d WHERE d.workspace_id = $1::uuid AND (${key}) IN (
         SELECT ${columns} FROM workspace w, ${rows} AND w.id = $1::uuid
         LIMIT ${BATCH} FOR UPDATE OF r SKIP LOCKED) RETURNING 1`,
    ),
  };
}
