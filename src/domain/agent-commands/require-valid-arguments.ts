import type { Ctx } from "../kernel/context.ts";
import { findParamsError } from "./find-params-error.ts";

/**
 * Requires that the command that waits for an approval, if one does, could have these params instead.
 *
 * @throws {DomainError} validation_failed if its agent's schema does not allow them; unavailable if schemas can't be
 *   checked at the moment.
 */
export async function requireValidArguments(
  ctx: Ctx,
  approvalId: string,
  args: Record<string, unknown>,
): Promise<void> {
  const { db, workspaceId } = ctx;
  const approval = await db.approval.findUnique({
    where: { workspaceId_id: { workspaceId, id: approvalId } },
    select: { commandId: true },
  });
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
