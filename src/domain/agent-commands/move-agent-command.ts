import type { AgentCommand, Prisma } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { EventInput, TotalChange } from "../kernel/events.ts";
import { type CommandEventType, commandEvent } from "./command-event.ts";
import type { LockedCommand } from "./lock-agent-command.ts";

/** A change of a command, with its event. */
export type CommandMove = {
  /** The columns to change. `generation` and `updatedAt` change automatically. */
  data: Prisma.AgentCommandUncheckedUpdateInput;
  event: CommandEventType;
};

/** What a transaction that changes a command must append. */
export type CommandAppendContent = { events: [EventInput]; totals: [TotalChange] };

/** Changes a locked command and increments its generation. @returns the command, and what to append. */
export async function moveAgentCommand(
  { db, ctx }: Transaction,
  { command, now }: LockedCommand,
  { data, event }: CommandMove,
): Promise<{ command: AgentCommand; appended: CommandAppendContent }> {
  const moved = await db.agentCommand.update({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: command.id } },
    data: { ...data, generation: command.generation + 1, updatedAt: now },
  });
  return {
    command: moved,
    appended: {
      events: [commandEvent(event, moved)],
      totals: [{ collection: "agent_commands", from: command.status, to: moved.status }],
    },
  };
}
