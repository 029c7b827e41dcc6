import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { AlertRule } from "../../db/generated/client.ts";
import { AlertState } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({ state: z.enum(AlertState).nullish(), enabled: z.boolean().nullish() });

/**
 * Lists the workspace's alert rules, newest first. A filter reads all of them.
 *
 * @throws {DomainError} insufficient_scope without `events:read`; validation_failed for a page out of range or an
 *   invalid filter.
 */
export async function listAlertRules(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<AlertRule>> {
  requireScope(ctx, "events:read");
  return readPage(ctx, {
    table: TABLES.alertRule,
    collection: "alert_rules",
    filter: filterBy(parseInput(shape, filter), COMPARED),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<z.output<typeof shape>> = {
  state: (value) => `state = ${value}::alert_state`,
  enabled: (value) => `enabled = ${value}::boolean`,
};
