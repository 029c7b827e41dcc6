import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { requireAgent, requireScope } from "../guard.ts";
import { LIMITS } from "../limits.ts";
import { nextAgentCommands } from "./next-agent-commands.ts";

/**
 * Pushes an agent's commands to it as they become its turn: at first, again, every one that it has not
 * acknowledged.
 *
 * @param ended ends the stream, at once.
 * @throws {DomainError} insufficient_scope without `agent_commands:read`; forbidden for anybody but an agent.
 */
export function streamAgentCommands(ctx: Ctx, ended: AbortSignal): AsyncGenerator<AgentCommand, void> {
  requireScope(ctx, "agent_commands:read");
  requireAgent(ctx);
  return push(ctx, ended);
}

async function* push(ctx: Ctx, ended: AbortSignal): AsyncGenerator<AgentCommand, void> {
  const wanted = { limit: LIMITS.commandsPage.max };
  yield* await nextAgentCommands(ctx, { ...wanted, redeliver: true });
  while (!ended.aborted && ctx.services.stopping?.aborted !== true) {
    yield* await nextAgentCommands(ctx, { ...wanted, waitSeconds: LIMITS.pollSeconds.max }, ended);
  }
}
