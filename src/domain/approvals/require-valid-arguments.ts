import { findParamsError } from "../agent-commands/find-params-error.ts";
import type { Ctx } from "../kernel/context.ts";
import { parsePlanArguments } from "../missions/mission-plan.ts";

/**
 * Requires that the command or mission that waits for an approval, if one does, could have these arguments instead.
 *
 * @throws {DomainError} validation_failed if its agent's schema, or a mission, does not allow them; unavailable if
 *   schemas can't be checked at the moment.
 */
export async function requireValidArguments(
  ctx: Ctx,
  approvalId: string,
  args: Record<string, unknown>,
): Promise<void> {
  const { db, workspaceId } = ctx;
  const approval = await db.approval.findUnique({
    where: { workspaceId_id: { workspaceId, id: approvalId } },
    select: { commandId: true, missionId: true },
  });
  if ((approval?.missionId ?? null) !== null) parsePlanArguments(args);
  const id = approval?.commandId ?? null;
  if (id === null) return;
  const command = await db.agentCommand.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    select: { agentId: true, type: true },
  });
  if (command === null) return;
  const { agentId, type } = command;
  const error = await findParamsError(ctx, { agentId }, { type, params: args, field: "arguments" });
  if (error !== null) throw error;
}
