import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { toTraceId } from "./trace-ids.ts";

/** An item of an evaluation run. */
export type EvalItem = { evalRunId: string; itemKey: string };

/** The key of an item in {@link findItemTraces}. */
export function toItemKey({ evalRunId, itemKey }: EvalItem): string {
  return `${evalRunId} ${itemKey}`;
}

/** Finds the newest traces that name some items of evaluation runs: their ids, by {@link toItemKey}. */
export async function findItemTraces(ctx: Ctx, keys: readonly string[]): Promise<Map<string, string>> {
  const items = keys.map((key) => [key.slice(0, UUID_LENGTH), key.slice(UUID_LENGTH + 1)] as const);
  const values = [items.map(([runId]) => runId), items.map(([, itemKey]) => itemKey)];
  const found = await ctx.read(ITEM_TRACES, [ctx.workspaceId, ...values]);
  return new Map(found.map((item) => [toItemKey(item), toTraceId(item.traceId)]));
}

const UUID_LENGTH = 36;

const ITEM_TRACES = sql<EvalItem & { traceId: string }>`
SELECT g.eval_run_id AS "evalRunId", g.item_key AS "itemKey", t.id AS "traceId"
FROM unnest($2::uuid[], $3::text[]) g (eval_run_id, item_key) CROSS JOIN LATERAL (
  SELECT n.id FROM trace n
  WHERE n.workspace_id = $1::uuid AND n.eval_run_id = g.eval_run_id AND n.eval_item_key = g.item_key
  ORDER BY n.created_at DESC LIMIT 1
) t`;
