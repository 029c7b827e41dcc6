import { z } from "zod";
import type { AgentCommand } from "../../db/generated/client.ts";
import { CommandPriority } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { withWait } from "../kernel/with-wait.ts";
import { watchCommands } from "./command-watch.ts";
import { deliverAgentCommands } from "./deliver-agent-commands.ts";

const shape = z.object({
  limit: wholeNumber(LIMITS.commandsPage).default(LIMITS.commandsPage.default),
  waitSeconds: wholeNumber(LIMITS.pollSeconds).default(LIMITS.pollSeconds.default),
  priority: z.enum(CommandPriority).nullish(),
  redeliver: z.boolean().default(false),
});

/**
 * Delivers the calling agent's due commands, waiting for one if asked to: all urgent ones, and the first
 * normal one if none is waiting for acknowledgement. Commands that were not acknowledged in time, or are
 * asked for by `redeliver`, are delivered again.
 *
 * @returns the urgent commands first, each kind in order; none after the time-out.
 * @throws {DomainError} insufficient_scope without `agent_commands:read`; forbidden unless the caller is an
 *   agent; validation_failed; invalid_token if the credential is revoked meanwhile; unavailable if the
 *   credential must be checked again; rate_limited if too many requests of the credential wait.
 */
export async function nextAgentCommands(
  ctx: Ctx,
  input: z.input<typeof shape>,
  ended: AbortSignal | null = ctx.signal,
): Promise<AgentCommand[]> {
  requireScope(ctx, "agent_commands:read");
  const agent = requireAgent(ctx);
  const { waitSeconds, ...delivery } = parseInput(shape, input);
  const wanted = { ...delivery, agentId: agent.id };
  if (waitSeconds === 0) return deliverAgentCommands(ctx, wanted);
  return withWait(ctx, async (revoked) => {
    const watcher = watchCommands(ctx, wanted);
    try {
      const signals = [revoked, ended, ctx.services.stopping].filter((one) => one instanceof AbortSignal);
      const commands = await watcher.next(waitSeconds * 1000, signals);
      revoked.throwIfAborted();
      return commands;
    } finally {
      watcher.leave();
    }
  });
}
