import { z } from "zod";
import type { Execution, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { hasScope } from "../kernel/has-scope.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";

const shape = z.object({ id: uuid });

/**
 * Reads one execution. `query` selects columns.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`, or `gateway:check` for an agent's own;
 *   not_found, for agents without `gateway:read` also if it is another agent's.
 */
export async function readExecution(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.ExecutionFindUniqueArgs, "select" | "include"> = {},
): Promise<Execution> {
  const ownerId = requireReader(ctx);
  const { id } = parseInput(shape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const execution = await ctx.db.execution.findUnique({
    ...query,
    where: { ...where, ...(ownerId !== null && { agentId: ownerId }) },
  });
  if (execution === null) throw createNotFoundError("execution");
  return execution;
}

/**
 * Returns the agent whose executions the caller may read; null for all.
 *
 * @throws {DomainError} insufficient_scope; forbidden.
 */
export function requireReader(ctx: Ctx): string | null {
  const { actor } = ctx;
  if (actor.type !== "agent" || hasScope(ctx, "gateway:read")) {
    requireScope(ctx, "gateway:read");
    return null;
  }
  requireScope(ctx, "gateway:check");
  return actor.id;
}
