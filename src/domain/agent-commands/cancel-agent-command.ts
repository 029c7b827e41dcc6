import { z } from "zod";
import type { AgentCommand } from "../../db/generated/client.ts";
import { cancelApprovalOfOrder, lockApprovalOfOrder } from "../approvals/cancel-approval-of-order.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type EndedCommand, endSteering, findSteeredMissionId } from "../missions/undo-steering.ts";
import { endCommand } from "./command-moves.ts";
import { requireCommandState } from "./command-states.ts";
import { lockAgentCommand, requireCommandGeneration } from "./lock-agent-command.ts";
import { moveAgentCommand } from "./move-agent-command.ts";

const shape = z.object({
  id: uuid,
  reason: text(LIMITS.textLength).nullish(),
  ifGeneration: z.array(z.int()).nullish(),
});

/**
 * Cancels a command that has not finished, and the approval that it waits for. If its agent already has it, the agent learns of the
 * cancellation with its next report. If a command that steers a mission has not reached the robot, the
 * mission returns to its earlier state. Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:write`; not_found; validation_failed;
 *   invalid_state for a command that finished otherwise; precondition_failed.
 */
export async function cancelAgentCommand(ctx: Ctx, input: z.input<typeof shape>): Promise<AgentCommand> {
  requireScope(ctx, "agent_commands:write");
  const given = parseInput(shape, input);
  const missionId = await findSteeredMissionId(ctx, given.id);
  if (missionId !== null) return endSteering(ctx, missionId, (tx) => cancel(tx, given));
  return ctx.transaction(async (tx) => (await cancel(tx, given)).command);
}

async function cancel(
  tx: Transaction,
  { id, reason, ifGeneration }: z.output<typeof shape>,
): Promise<EndedCommand> {
  const where = { workspaceId_id: { workspaceId: tx.ctx.workspaceId, id } };
  const read = await tx.db.agentCommand.findUnique({ where, select: { status: true, approvalId: true } });
  const approval = await lockApprovalOfOrder(tx, read);
  const locked = await lockAgentCommand(tx, id);
  const { status } = locked.command;
  if (status === "canceled") return { command: locked.command, isLeftUndone: false };
  requireCommandState(locked.command, "cancel");
  requireCommandGeneration(locked.command, ifGeneration);
  const detail = typeof reason === "string" ? { statusDetail: reason } : {};
  const { command, appended } = await moveAgentCommand(tx, locked, endCommand(locked, "canceled", detail));
  const changes = { agent_id: command.agentId, type: command.type, reason: reason ?? null };
  const act = { action: "agent_command.canceled", targetType: "agent_command", targetId: id, changes };
  append(tx, { ...appended, audit: tx.ctx.actor.type === "agent" ? [] : [act] });
  append(tx, await cancelApprovalOfOrder(tx, approval));
  return { command, isLeftUndone: status === "queued" };
}
