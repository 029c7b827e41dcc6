import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Decision } from "../../db/generated/client.ts";
import { DecisionOutcome } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { namedInTrace } from "../traces/named-in-trace.ts";
import { traceId } from "../traces/trace-ids.ts";

const shape = z.object({
  outcome: z.enum(DecisionOutcome).nullish(),
  agentId: uuid.nullish(),
  taskId: uuid.nullish(),
  traceId: traceId.nullish(),
  from: z.date().nullish(),
  until: z.date().nullish(),
});

/**
 * Lists what the gateway decided, newest first. Permissions appear within 20 ms.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; validation_failed for a page out of
 *   range, an invalid filter, or one by task and something else.
 */
export async function listDecisions(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Decision>> {
  requireScope(ctx, "gateway:read");
  const fields = parseInput(shape, filter);
  requireFewFields(fields);
  return readPage(ctx, {
    table: TABLES.decision,
    collection: null,
    filter: filterBy(fields, COMPARED) ?? (() => []),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

type Fields = z.output<typeof shape>;

/** There is an index for an agent, an outcome or both, and one for a task. A trace has few decisions. */
function requireFewFields({ taskId, agentId, outcome }: Fields): void {
  if (!isGiven(taskId) || (!isGiven(agentId) && !isGiven(outcome))) return;
  throw createFieldError("taskId", "can't be combined with agentId or outcome");
}

function isGiven(value: string | null | undefined): boolean {
  return value !== null && value !== undefined;
}

const COMPARED: Comparisons<Fields> = {
  outcome: (value) => `outcome = ${value}::decision_outcome`,
  agentId: (value) => `agent_id = ${value}::uuid`,
  taskId: (value) => `task_id = ${value}::uuid`,
  traceId: (value) => namedInTrace(value, "aos.decision_id"),
  from: (value) => `created_at >= ${value}::timestamptz`,
  until: (value) => `created_at < ${value}::timestamptz`,
};
