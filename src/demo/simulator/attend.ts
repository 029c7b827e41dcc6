import { acknowledgeAgentCommand } from "../../domain/agent-commands/acknowledge-agent-command.ts";
import { nextAgentCommands } from "../../domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandResult } from "../../domain/agent-commands/report-agent-command-result.ts";
import { heartbeatAgent } from "../../domain/agents/heartbeat-agent.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";

/**
 * Tells that an agent of the demo is there, and of every command that it was given that it is carried out.
 *
 * @returns whether it may work: operators have neither paused nor stopped it, nor all.
 */
export async function attend(ctx: Ctx): Promise<boolean> {
  const { controlState, pendingCommands } = await heartbeatAgent(ctx);
  if (pendingCommands > 0) await carryOutCommands(ctx);
  return controlState === "active";
}

async function carryOutCommands(ctx: Ctx): Promise<void> {
  const commands = await nextAgentCommands(ctx, { limit: 20, redeliver: true });
  for (const command of commands) await carryOutCommand(ctx, command);
}

/** Accepts a command that was delivered and reports its success, unless it was withdrawn meanwhile. */
export async function carryOutCommand(ctx: Ctx, { id }: { id: string }): Promise<void> {
  try {
    await acknowledgeAgentCommand(ctx, { id, outcome: "accepted" });
    await reportAgentCommandResult(ctx, { id, status: "succeeded", result: { ok: true } });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "invalid_state")) throw error;
  }
}
