import { z } from "zod";
import type { Decision, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";

const shape = z.object({ id: uuid });

/**
 * Reads one decision. `query` selects columns.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; not_found, also if it is too old.
 */
export async function readDecision(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.DecisionFindUniqueArgs, "select"> = {},
): Promise<Decision> {
  requireScope(ctx, "gateway:read");
  const { id } = parseInput(shape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const decision = await ctx.db.decision.findUnique({ ...query, where });
  if (decision === null) throw createNotFoundError("decision");
  return decision;
}
