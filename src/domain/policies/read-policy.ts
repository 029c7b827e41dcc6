import { z } from "zod";
import type { Policy, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";

const shape = z.object({ id: uuid });

/**
 * Reads one policy. `query` selects columns.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; not_found.
 */
export async function readPolicy(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.PolicyFindUniqueArgs, "include" | "select"> = {},
): Promise<Policy> {
  requireScope(ctx, "gateway:read");
  const { id } = parseInput(shape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const policy = await ctx.db.policy.findUnique({ ...query, where });
  if (policy === null) throw createNotFoundError("policy");
  return policy;
}
