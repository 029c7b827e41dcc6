import type { AgentCommand, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";

/**
 * Reads a command of the workspace.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:read`; not_found.
 */
export async function readAgentCommand(
  ctx: Ctx,
  id: string,
  query: Pick<Prisma.AgentCommandFindUniqueArgs, "include" | "select"> = {},
): Promise<AgentCommand> {
  requireScope(ctx, "agent_commands:read");
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const command = await ctx.db.agentCommand.findUnique({ ...query, where });
  if (command === null) throw createNotFoundError("command");
  return command;
}
