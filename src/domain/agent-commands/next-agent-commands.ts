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
 * Delivers to the calling agent what is its turn, and waits for something where it is asked to: every
 * urgent command, and the first normal one where none waits to be acknowledged. What was delivered and is
 * not acknowledged in time, or is asked for again by `redeliver`, is delivered again.
 *
 * @returns the urgent ones first, each kind in its order; none when the time is over.
 * @throws {DomainError} insufficient_scope without `agent_commands:read`; forbidden for anybody but an
 *   agent; validation_failed; invalid_token where the caller's credential is revoked while it waits;
 *   unavailable where what it allows has changed, or can't be known; rate_limited where too many of the same credential wait.
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
