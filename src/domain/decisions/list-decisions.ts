import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Decision } from "../../db/generated/client.ts";
import { DecisionOutcome } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";

const shape = z.object({
  outcome: z.enum(DecisionOutcome).nullish(),
  agentId: uuid.nullish(),
  from: z.date().nullish(),
  until: z.date().nullish(),
});

/**
 * Lists what the gateway decided, newest first. Permissions appear within 20 ms.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; validation_failed for a page out of
 *   range or an invalid filter.
 */
export async function listDecisions(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Decision>> {
  requireScope(ctx, "gateway:read");
  return readPage(ctx, {
    table: TABLES.decision,
    collection: null,
    filter: filterBy(parseInput(shape, filter), COMPARED) ?? (() => []),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<z.output<typeof shape>> = {
  outcome: (value) => `outcome = ${value}::decision_outcome`,
  agentId: (value) => `agent_id = ${value}::uuid`,
  from: (value) => `created_at >= ${value}::timestamptz`,
  until: (value) => `created_at < ${value}::timestamptz`,
};
