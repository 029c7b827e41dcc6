import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";
import { watchCommands } from "./command-watch.ts";
import { type CommandDelivery, deliverAgentCommands } from "./deliver-agent-commands.ts";

/**
 * Streams an agent's commands as they become due, starting with unacknowledged ones.
 *
 * @param ended ends the stream immediately.
 * @throws {DomainError} insufficient_scope without `agent_commands:read`; forbidden unless the caller is an
 *   agent.
 */
export function streamAgentCommands(ctx: Ctx, ended: AbortSignal): AsyncGenerator<AgentCommand, void> {
  requireScope(ctx, "agent_commands:read");
  const { id: agentId } = requireAgent(ctx);
  return push(ctx, { agentId, limit: LIMITS.commandsPage.max }, ended);
}

async function* push(
  ctx: Ctx,
  delivery: CommandDelivery,
  ended: AbortSignal,
): AsyncGenerator<AgentCommand, void> {
  const signals = [ended, ctx.services.stopping].filter((one) => one instanceof AbortSignal);
  const watcher = watchCommands(ctx, delivery);
  try {
    yield* await deliverAgentCommands(ctx, { ...delivery, redeliver: true });
    while (!signals.some(({ aborted }) => aborted)) {
      yield* await watcher.next(LIMITS.pollSeconds.max * 1000, signals);
    }
  } finally {
    watcher.leave();
  }
}
