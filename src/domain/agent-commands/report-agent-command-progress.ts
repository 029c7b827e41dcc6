import { z } from "zod";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../context.ts";
import { append } from "../events.ts";
import { requireAgent, requireScope } from "../guard.ts";
import { parseInput, text, uuid } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { requireCommandState } from "./command-states.ts";
import { lockOwnCommand } from "./lock-agent-command.ts";
import { moveAgentCommand } from "./move-agent-command.ts";

const shape = z.object({
  id: uuid,
  progress: z.number().min(0, "must be at least 0").max(1, "must be at most 1").nullish(),
  detail: text(LIMITS.textLength).nullish(),
});

/**
 * Tells that an agent carries a command out, and how far it is. The first time is an event, later ones are not.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:ack`; not_found for another agent's;
 *   validation_failed; invalid_state.
 */
export async function reportAgentCommandProgress(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<AgentCommand> {
  requireScope(ctx, "agent_commands:ack");
  requireAgent(ctx);
  const { id, progress, detail } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const locked = await lockOwnCommand(tx, id);
    requireCommandState(locked.command, "progress");
    const how = {
      progress: progress ?? locked.command.progress,
      statusDetail: detail ?? locked.command.statusDetail,
    };
    if (locked.command.status === "running") return tick(tx, locked.command, how);
    const data = { ...how, status: "running", startedAt: locked.now } as const;
    const { command, appended } = await moveAgentCommand(tx, locked, {
      data,
      event: "agent_command.updated",
    });
    await append(tx, appended);
    return command;
  });
}

/** The list's version counts ticks beside events. */
async function tick(
  { db, ctx }: Transaction,
  { id, progress, statusDetail }: AgentCommand,
  how: Pick<AgentCommand, "progress" | "statusDetail">,
): Promise<AgentCommand> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const command = await db.agentCommand.update({ where, data: how });
  if (progress !== how.progress || statusDetail !== how.statusDetail) {
    await db.collectionTotal.updateMany({
      where: { collection: "agent_commands", facet: "all" },
      data: { ticks: { increment: 1 } },
    });
  }
  return command;
}
