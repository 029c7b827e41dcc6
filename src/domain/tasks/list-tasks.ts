import { z } from "zod";
import { TABLES } from "../../db/columns.ts";
import type { Task } from "../../db/generated/client.ts";
import { TaskStatus } from "../../db/generated/enums.ts";
import type { Ctx } from "../context.ts";
import { requireScope } from "../guard.ts";
import { handle, parseInput, uuid } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { type Filter, type Page, type PageRequest, readPage } from "../page.ts";

const shape = z.object({
  status: z.enum(TaskStatus).nullish(),
  queue: handle.nullish(),
  assigneeAgentId: uuid.nullish(),
  contextId: uuid.nullish(),
});

/**
 * Lists the workspace's tasks, newest first.
 *
 * @throws {DomainError} insufficient_scope without `tasks:read`; validation_failed for a page out of range
 *   or a filter that can't be one.
 */
export async function listTasks(
  ctx: Ctx,
  page: PageRequest,
  filter: z.input<typeof shape> = {},
): Promise<Page<Task>> {
  requireScope(ctx, "tasks:read");
  const { status, ...rest } = parseInput(shape, filter);
  return readPage(ctx, {
    table: TABLES.task,
    collection: "tasks",
    status,
    filter: conditions(rest),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

function conditions({
  queue,
  assigneeAgentId,
  contextId,
}: Omit<z.output<typeof shape>, "status">): Filter | null {
  if (!queue && !assigneeAgentId && !contextId) return null;
  return (param) => [
    ...(queue ? [`queue = ${param(queue)}`] : []),
    ...(assigneeAgentId ? [`assignee_agent_id = ${param(assigneeAgentId)}::uuid`] : []),
    ...(contextId ? [`context_id = ${param(contextId)}::uuid`] : []),
  ];
}
