import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { ModelPrice } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({ provider: text(LIMITS.providerLength).nullish() });

/**
 * Lists the workspace's own prices, newest first.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed for a page out of range or an
 *   invalid filter.
 */
export async function listModelPrices(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<ModelPrice>> {
  requireScope(ctx, "traces:read");
  return readPage(ctx, {
    table: TABLES.modelPrice,
    collection: "model_prices",
    filter: filterBy(parseInput(shape, filter), { provider: (value) => `provider = lower(${value})` }),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}
