import { buildStatement } from "../../db/sql.ts";
import { TABLES } from "../../db/columns.ts";
import type { Task } from "../../db/generated/client.ts";
import { TaskStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { type Comparisons, type Condition, filterBy } from "../kernel/filter-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { handle, labels, parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type SortOrder, type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
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
  const words = search ? buildWordQuery(search) : null;
  if (search && words === null) throw createFieldError("search", "must have a letter or a digit");
  function isOfWorkspace(param: Param): string {
    return `${TASK_WORDS} @@ ${param(`'${ctx.workspaceId}'`)}::tsquery`;
  }
  function isFound(param: Param): string {
    return `${isOfWorkspace(param)} AND ${TASK_WORDS} @@ to_tsquery('simple'::regconfig, ${param(words)})`;
  }
  if (words === null) return named ? [isOfWorkspace] : [];
  return [(await isRare(ctx, isFound)) ? searchWordsFirst(isFound) : isFound];
}

type Param = Parameters<Condition>[0];

const FEW = 1000;

async function isRare(ctx: Ctx, isFound: Condition): Promise<boolean> {
  const values: unknown[] = [ctx.workspaceId];
  const where = `workspace_id = $1::uuid AND ${isFound((value) => `$${values.push(value)}`)}`;
  const text = `SELECT count(*)::int AS count FROM (SELECT 1 FROM task WHERE ${where} LIMIT ${FEW + 1}) found`;
  const [row] = await ctx.read(buildStatement<{ count: number }>("", text), values);
  return (row?.count ?? 0) <= FEW;
}

/**
 * Makes PostgreSQL use the index of words first. It assumes that one title in a hundred matches, so for a
 * rare word it would read all titles in order.
 */
function searchWordsFirst(isFound: Condition): Condition {
  return (param) =>
    `id = ANY (ARRAY(SELECT id FROM task WHERE workspace_id = $1::uuid AND ${isFound(param)}))`;
}

/**
 * The characters that separate words in a title, besides blanks. The index task_words_idx has the same
 * expression.
 */
const SEPARATORS = "-_./\\:@#+,;&*()[]{}<>=!?\"''";

/** The words of a task's title and its workspace, as in the index. */
const TASK_WORDS = `(to_tsvector('simple'::regconfig, translate(title, '${SEPARATORS}', repeat(' ', 26)))
  || array_to_tsvector(ARRAY[workspace_id::text]))`;

/**
 * Builds the query for a search: each of its words must be the start of a word. Null if there are none. Each reads the
 * index, so one that another begins with is left out.
 *
 * @throws {DomainError} validation_failed for too many words.
 */
function buildWordQuery(search: string): string | null {
  const words = new Map(search.match(/[\p{L}\p{N}]+/gu)?.map((word) => [word.toLowerCase(), word]));
  const read = [...words].filter(([word]) =>
    [...words.keys()].every((other) => other === word || !other.startsWith(word)),
  );
  if (read.length > LIMITS.searchWords) {
    throw createFieldError("search", `can have at most ${LIMITS.searchWords} words`);
  }
  return read.length === 0 ? null : read.map(([, word]) => `${word}:*`).join(" & ");
}
