import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Budget } from "../../db/generated/client.ts";
import { BudgetUnit } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({ unit: z.enum(BudgetUnit).nullish(), enabled: z.boolean().nullish() });

/**
 * Lists the workspace's budgets, newest first. A filter reads all of them.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; validation_failed for a page out of
 *   range or an invalid filter.
 */
export async function listBudgets(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Budget>> {
  requireScope(ctx, "gateway:read");
  return readPage(ctx, {
    table: TABLES.budget,
    collection: "budgets",
    filter: filterBy(parseInput(shape, filter), COMPARED),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<z.output<typeof shape>> = {
  unit: (value) => `unit = ${value}::budget_unit`,
  enabled: (value) => `enabled = ${value}::boolean`,
};
