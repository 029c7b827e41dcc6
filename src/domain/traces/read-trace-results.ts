import { sql } from "../../db/sql.ts";
import type { EvalResultStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { groupBy } from "../kernel/group-by.ts";
import { hasScope } from "../kernel/has-scope.ts";

/** An item's result in an evaluation run that a trace is of. */
export type TraceResult = {
  evalRunId: string;
  evalRunName: string;
  suite: string;
  itemKey: string;
  status: EvalResultStatus;
};

/** The most results that are read of a trace. */
export const MOST_RESULTS = 20;

/**
 * Reads the results that name some traces, or whose items the traces name, by the traces' UUIDs. The newest runs come
 * first. Returns none if the caller may not read evaluation runs.
 */
export async function readTraceResults(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, TraceResult[]>> {
  if (!hasScope(ctx, "eval_runs:read")) return new Map();
  const rows = await ctx.read(RESULTS, [ctx.workspaceId, ids]);
  return groupBy(rows, ({ traceId }) => traceId);
}

const RESULTS = sql<TraceResult & { traceId: string }>`
SELECT t.id AS "traceId", r.eval_run_id AS "evalRunId", e.name AS "evalRunName", e.suite, r.item_key AS "itemKey", r.status
FROM trace t CROSS JOIN LATERAL (
  SELECT f.eval_run_id, f.item_key, f.status FROM (
    (SELECT n.eval_run_id, n.item_key, n.status FROM eval_result n
     WHERE n.workspace_id = t.workspace_id AND n.trace_id = replace(t.id::text, '-', '')
     ORDER BY n.eval_run_id DESC LIMIT ${MOST_RESULTS})
    UNION
    SELECT n.eval_run_id, n.item_key, n.status FROM eval_result n
    WHERE n.workspace_id = t.workspace_id AND n.eval_run_id = t.eval_run_id AND n.item_key = t.eval_item_key
  ) f ORDER BY f.eval_run_id DESC LIMIT ${MOST_RESULTS}
) r
JOIN eval_run e ON e.workspace_id = t.workspace_id AND e.id = r.eval_run_id
WHERE t.workspace_id = $1::uuid AND t.id = ANY($2::uuid[])
ORDER BY r.eval_run_id DESC, r.item_key`;
