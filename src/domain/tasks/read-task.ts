import type { Prisma, Task } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { notFound } from "../errors.ts";
import { requireScope } from "../guard.ts";

/**
 * Reads one task. `query` says which of its columns and relations are wanted.
 *
 * @throws {DomainError} insufficient_scope without `tasks:read`; not_found.
 */
export async function readTask(
  ctx: Ctx,
  id: string,
  query: Pick<Prisma.TaskFindUniqueArgs, "include" | "select"> = {},
): Promise<Task> {
  requireScope(ctx, "tasks:read");
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const task = await ctx.db.task.findUnique({ ...query, where });
  if (task === null) throw notFound("task");
  return task;
}
