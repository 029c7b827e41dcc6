import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Task } from "../../db/generated/client.ts";
import { TaskStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../context.ts";
import { invalid } from "../errors.ts";
import { requireScope } from "../guard.ts";
import { handle, labels, parseInput, text, uuid } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { type Comparisons, type Condition, filterBy } from "../filter-by.ts";
import { type Order, type Page, type PageRequest, readPage } from "../page.ts";
import { TASK_WORDS, wordQuery } from "./task-words.ts";

const shape = z.object({
  status: z.enum(TaskStatus).nullish(),
  /** Any of these. */
  statuses: z.array(z.enum(TaskStatus)).min(1, "must name at least one status").nullish(),
  queue: handle.nullish(),
  assigneeAgentId: uuid.nullish(),
  claimedByAgentId: uuid.nullish(),
  contextId: uuid.nullish(),
  parentTaskId: uuid.nullish(),
  missionId: uuid.nullish(),
  labels: labels.nullish(),
  /** The starts of words of the title. */
  search: text(LIMITS.queryLength).nullish(),
  createdFrom: z.date().nullish(),
  createdTo: z.date().nullish(),
});

type Filters = Omit<z.output<typeof shape>, "status">;

/**
 * Lists the workspace's tasks, newest first where no other order is asked for. `createdFrom` counts in, `createdTo` doesn't.
 *
 * @throws {DomainError} insufficient_scope without `tasks:read`; validation_failed for a page out of range
 *   or a filter that can't be one.
 */
export async function listTasks(
  ctx: Ctx,
  page: PageRequest,
  { order, ...filter }: z.input<typeof shape> & { order?: Order | undefined } = {},
): Promise<Page<Task>> {
  requireScope(ctx, "tasks:read");
  const { status, ...rest } = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.task,
    collection: "tasks",
    status,
    filter: filterBy(rest, COMPARED, wordConditions(ctx, rest)),
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
};

/** The index has words and labels of all workspaces; the workspace is one of the words. */
function wordConditions(ctx: Ctx, { search, labels: named }: Filters): Condition[] {
  const words = search ? wordQuery(search) : null;
  if (search && words === null) throw invalid("search", "must have a letter or a digit");
  if (words === null && !named) return [];
  const conditions: Condition[] = [(param) => `${TASK_WORDS} @@ ${param(`'${ctx.workspaceId}'`)}::tsquery`];
  if (words !== null) {
    conditions.push((param) => `${TASK_WORDS} @@ to_tsquery('simple'::regconfig, ${param(words)})`);
  }
  return conditions;
}
