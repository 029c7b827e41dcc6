import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Trace } from "../../db/generated/client.ts";
import { TraceStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { SPAN_LIMITS } from "./span-limits.ts";

const shape = z.object({
  status: z.enum(TraceStatus).nullish(),
  agentId: uuid.nullish(),
  conversationId: text(SPAN_LIMITS.wordLength).nullish(),
  taskId: uuid.nullish(),
  missionId: uuid.nullish(),
  from: z.date().nullish(),
  until: z.date().nullish(),
  plumbing: z.boolean().nullish(),
});

type Filter = z.output<typeof shape>;

/**
 * Lists traces, those that began to arrive last first. Without `plumbing`, only those with a span that says what kind
 * of an agent's work it is, or that failed.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed for a page out of range or an
 *   invalid filter.
 */
export async function listTraces(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<Trace>> {
  requireScope(ctx, "traces:read");
  const { plumbing, ...given } = parseInput(shape, filter);
  const shown = plumbing === true ? [] : [() => "NOT plumbing"];
  return readPage(ctx, {
    table: TABLES.trace,
    collection: null,
    filter: filterBy(given, COMPARED, shown) ?? (() => []),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

const COMPARED: Comparisons<Omit<Filter, "plumbing">> = {
  status: (value) => `status = ${value}::trace_status`,
  agentId: (value) => `agent_id = ${value}::uuid`,
  conversationId: (value) => `conversation_id = ${value}`,
  taskId: (value) => `task_id = ${value}::uuid`,
  missionId: (value) => `mission_id = ${value}::uuid`,
  from: (value) => `created_at >= ${value}::timestamptz`,
  until: (value) => `created_at < ${value}::timestamptz`,
};
