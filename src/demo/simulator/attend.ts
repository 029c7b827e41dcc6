import { acknowledgeAgentCommand } from "../../domain/agent-commands/acknowledge-agent-command.ts";
import { nextAgentCommands } from "../../domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandResult } from "../../domain/agent-commands/report-agent-command-result.ts";
import { heartbeatAgent } from "../../domain/agents/heartbeat-agent.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";

/**
 * Reports an agent of the demo as online, and completes all of its commands.
 *
 * @returns whether the agent may work: it is neither paused nor stopped, and there is no emergency stop.
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

/** Accepts a delivered command and reports its success, unless it was canceled meanwhile. */
export async function carryOutCommand(ctx: Ctx, { id }: { id: string }): Promise<void> {
  try {
    await acknowledgeAgentCommand(ctx, { id, outcome: "accepted" });
    await reportAgentCommandResult(ctx, { id, status: "succeeded", result: { ok: true } });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "invalid_state")) throw error;
  }
}
