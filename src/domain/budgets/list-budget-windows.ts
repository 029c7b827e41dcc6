import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { BudgetWindow } from "../../db/generated/client.ts";

/** A sum of a budget's current period. */
export type CurrentSum = Pick<
  BudgetWindow,
  | "budgetId"
  | "subject"
  | "windowStart"
  | "windowEnd"
  | "limitAmount"
  | "used"
  | "reserved"
  | "assumed"
  | "reported"
  | "firedPercent"
>;

/** By subject, or with the largest share of the limit used or reserved first. */
export const SUM_ORDERS = ["subject", "fullest"] as const;

export type SumPage = { first?: number; after?: string | null; order?: (typeof SUM_ORDERS)[number] };

/**
 * Lists the sums of the current periods of budgets, at most `first` of each, with one statement. A budget
 * that was not used in its current period has none.
 *
 * @param after subjects up to this one are left out. Not with the order `fullest`, which changes all the time.
 * @throws {DomainError} insufficient_scope without `gateway:read`; validation_failed.
 */
export async function listBudgetWindows(
  ctx: Ctx,
  budgetIds: readonly string[],
  { first = LIMITS.budgetWindows.default, after = null, order = "subject" }: SumPage,
): Promise<Map<string, CurrentSum[]>> {
  requireScope(ctx, "gateway:read");
  const { min, max } = LIMITS.budgetWindows;
  if (first < min || first > max)
    throw createFieldError("first", `must be a whole number from ${min} to ${max}`);
  if (after !== null && order === "fullest") throw createFieldError("after", "can't be given with fullest");
  const rows = await ctx.read(CURRENT[order], [ctx.workspaceId, budgetIds, first, after]);
  const sums = new Map<string, CurrentSum[]>();
  for (const row of rows) {
    const known = sums.get(row.budgetId);
    if (known === undefined) sums.set(row.budgetId, [row]);
    else known.push(row);
  }
  return sums;
}

/** The current period is the last one that began: others are made when something is reserved in them. */
const CURRENT = {
  subject: selectCurrent("w.subject"),
  fullest: selectCurrent("(w.used + w.reserved)::numeric / w.limit_amount DESC, w.subject"),
};

function selectCurrent(order: string) {
  return sql<CurrentSum>`
SELECT s.* FROM unnest($2::uuid[]) AS b(id)
CROSS JOIN LATERAL (
  SELECT w.window_start FROM budget_window w
  WHERE w.workspace_id = $1::uuid AND w.budget_id = b.id ORDER BY w.window_start DESC LIMIT 1
) last
CROSS JOIN LATERAL (
  SELECT w.budget_id AS "budgetId", w.subject, w.window_start AS "windowStart", w.window_end AS "windowEnd",
    w.limit_amount AS "limitAmount", w.used, w.reserved, w.assumed, GREATEST(w.reported, 0) AS reported, w.fired_percent AS "firedPercent"
  FROM budget_window w
  WHERE w.workspace_id = $1::uuid AND w.budget_id = b.id AND w.window_start = last.window_start
    AND (w.window_end IS NULL OR w.window_end > ${NOW}) AND ($4::text IS NULL OR w.subject > $4)
  ORDER BY ${order} LIMIT $3::int
) s`;
}
