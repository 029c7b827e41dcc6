import { TABLES } from "../../db/columns.ts";
import type { Task } from "../../db/generated/client.ts";
import { TaskStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { type Comparisons, type Condition, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { handle, labels, parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type SortOrder, type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { WORD_INDEXES, findByWords, isOfWorkspace } from "../kernel/word-search.ts";
import { z } from "zod";

const shape = z.object({
  status: z.enum(TaskStatus).nullish(),
  /** Matches any of these. */
  statuses: z.array(z.enum(TaskStatus)).min(1, "must name at least one status").nullish(),
  queue: handle.nullish(),
  assigneeAgentId: uuid.nullish(),
  claimedByAgentId: uuid.nullish(),
  contextId: uuid.nullish(),
  parentTaskId: uuid.nullish(),
  missionId: uuid.nullish(),
  labels: labels.nullish(),
  /** The starts of words in the title. */
  search: text(LIMITS.queryLength).nullish(),
  createdFrom: z.date().nullish(),
  createdTo: z.date().nullish(),
  updatedAfter: z.date().nullish(),
});

type Filters = Omit<z.output<typeof shape>, "status">;

/**
 * Lists the workspace's tasks, newest first by default. `createdFrom` is inclusive, `createdTo` and
 * `updatedAfter` are exclusive.
 *
 * @throws {DomainError} insufficient_scope without `tasks:read`; validation_failed for a page out of range
 *   or an invalid filter.
 */
export async function listTasks(
  ctx: Ctx,
  page: PageArgs,
  { order, ...filter }: z.input<typeof shape> & { order?: SortOrder | undefined } = {},
): Promise<ListPage<Task>> {
  requireScope(ctx, "tasks:read");
  const { status, ...rest } = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.task,
    collection: "tasks",
    status,
    filter: filterBy(rest, COMPARED, await wordConditions(ctx, rest)),
    countUpTo: LIMITS.countedMatches,
    page,
    order,
  });
}

const COMPARED: Comparisons<Filters> = {
  statuses: (value) => `status = ANY(${value}::task_status[])`,
  queue: (value) => `queue = ${value}`,
  assigneeAgentId: (value) => `assignee_agent_id = ${value}::uuid`,
  claimedByAgentId: (value) => `claimed_by_agent_id = ${value}::uuid`,
  contextId: (value) => `context_id = ${value}::uuid`,
  parentTaskId: (value) => `parent_task_id = ${value}::uuid`,
  missionId: (value) => `mission_id = ${value}::uuid`,
  labels: (value) => `labels @> ${value}::jsonb`,
  createdFrom: (value) => `created_at >= ${value}::timestamptz`,
  createdTo: (value) => `created_at < ${value}::timestamptz`,
  updatedAfter: (value) => `updated_at > ${value}::timestamptz`,
};

/** The index has words and labels of all workspaces; the workspace is one of the words. */
async function wordConditions(ctx: Ctx, { search, labels: named }: Filters): Promise<Condition[]> {
  if (search) return [await findByWords(ctx, WORD_INDEXES.task, { text: search, field: "search" })];
  return named ? [isOfWorkspace(WORD_INDEXES.task, ctx)] : [];
}
