import type { Prisma, Robot } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";

/**
 * Reads one robot. `query` selects columns and relations.
 *
 * @throws {DomainError} insufficient_scope without `robots:read`; not_found.
 */
export async function readRobot(
  ctx: Ctx,
  id: string,
  query: Pick<Prisma.RobotFindUniqueArgs, "include" | "select"> = {},
): Promise<Robot> {
  requireScope(ctx, "robots:read");
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const robot = await ctx.db.robot.findUnique({ ...query, where });
  if (robot === null) throw createNotFoundError("robot");
  return robot;
}
