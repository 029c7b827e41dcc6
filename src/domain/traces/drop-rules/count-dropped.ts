import { NOW, sql } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import type { DropRule } from "./drop-rule.ts";

/** Counts spans that rules dropped. `counts` has a number for each rule. */
export async function countDropped(
  ctx: Ctx,
  rules: readonly DropRule[],
  counts: readonly number[],
): Promise<void> {
  const used = rules.flatMap((rule, at) => ((counts[at] ?? 0) > 0 ? [{ ...rule, count: counts[at] }] : []));
  if (used.length === 0) return;
  await ctx.run(COUNT, [
    ctx.workspaceId,
    used.map(({ scope }) => scope),
    used.map(({ name }) => name),
    used.map(({ count }) => count),
  ]);
}

/** Locks them in one order. */
const COUNT = sql`
UPDATE span_drop_rule r SET dropped = r.dropped + g.count, last_dropped_at = date_trunc('milliseconds', ${NOW})
FROM (
  SELECT k.workspace_id, k.scope, k.name, n.count
  FROM unnest($2::text[], $3::text[], $4::int8[]) n (scope, name, count)
  JOIN span_drop_rule k ON k.workspace_id = $1::uuid AND k.scope = n.scope AND k.name = n.name
  ORDER BY k.scope, k.name FOR NO KEY UPDATE OF k
) g
WHERE r.workspace_id = g.workspace_id AND r.scope = g.scope AND r.name = g.name`;
