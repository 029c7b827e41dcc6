import type { AgentCommand, Prisma } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { EventInput, TotalChange } from "../kernel/events.ts";
import { type CommandEventType, commandEvent } from "./command-event.ts";
import type { LockedCommand } from "./lock-agent-command.ts";

/** What changes of a command, and how that is told. */
export type CommandMove = {
  /** The columns that change; `generation` and `updatedAt` change by themselves. */
  data: Prisma.AgentCommandUncheckedUpdateInput;
  event: CommandEventType;
};

/** What a transaction that moved one command is to append. */
export type CommandAppendContent = { events: [EventInput]; totals: [TotalChange] };

/** Changes a locked command and counts its generation. @returns the command, and what is to be appended for it. */
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
