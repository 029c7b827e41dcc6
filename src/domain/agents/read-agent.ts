import type { Agent, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";

/**
 * Reads one agent, archived or not. `query` selects columns and relations.
 *
 * @throws {DomainError} insufficient_scope without `agents:read`; not_found.
 */
export async function readAgent(
  ctx: Ctx,
  id: string,
  query: Pick<Prisma.AgentFindUniqueArgs, "include" | "select"> = {},
): Promise<Agent> {
  requireScope(ctx, "agents:read");
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const agent = await ctx.db.agent.findUnique({ ...query, where });
  if (agent === null) throw createNotFoundError("agent");
  return agent;
}
