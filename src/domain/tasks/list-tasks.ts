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
  updatedAfter: z.date().nullish(),
});

type Filters = Omit<z.output<typeof shape>, "status">;

/**
 * Lists the workspace's tasks, newest first where no other order is asked for. `createdFrom` counts in,
 * `createdTo` and `updatedAfter` don't.
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
  const words = search ? wordQuery(search) : null;
  if (search && words === null) throw invalid("search", "must have a letter or a digit");
  function isOfWorkspace(param: Param): string {
    return `${TASK_WORDS} @@ ${param(`'${ctx.workspaceId}'`)}::tsquery`;
  }
  function isFound(param: Param): string {
    return `${isOfWorkspace(param)} AND ${TASK_WORDS} @@ to_tsquery('simple'::regconfig, ${param(words)})`;
  }
  if (words === null) return named ? [isOfWorkspace] : [];
  return [(await isRare(ctx, isFound)) ? amongFew(isFound) : isFound];
}

type Param = Parameters<Condition>[0];

const FEW = 1000;

async function isRare(ctx: Ctx, isFound: Condition): Promise<boolean> {
  const values: unknown[] = [ctx.workspaceId];
  const where = `workspace_id = $1::uuid AND ${isFound((value) => `$${values.push(value)}`)}`;
  const text = `SELECT count(*)::int AS count FROM (SELECT 1 FROM task WHERE ${where} LIMIT ${FEW + 1}) found`;
  const [row] = await ctx.read<{ count: number }>({ name: "", text }, values);
  return (row?.count ?? 0) <= FEW;
}

/**
 * Has the index of words looked into first. PostgreSQL takes it that a hundredth of all titles has a word, and to
 * find one that hardly any has it would read all of them in their order.
 */
function amongFew(isFound: Condition): Condition {
  return (param) =>
    `id = ANY (ARRAY(SELECT id FROM task WHERE workspace_id = $1::uuid AND ${isFound(param)}))`;
}
