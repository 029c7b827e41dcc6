import { z } from "zod";
import type { Budget, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";

const shape = z.object({ id: uuid });

/**
 * Reads one budget. `query` selects columns.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; not_found.
 */
export async function readBudget(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.BudgetFindUniqueArgs, "include" | "select"> = {},
): Promise<Budget> {
  requireScope(ctx, "gateway:read");
  const { id } = parseInput(shape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const budget = await ctx.db.budget.findUnique({ ...query, where });
  if (budget === null) throw createNotFoundError("budget");
  return budget;
}
