import { z } from "zod";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { append } from "../events.ts";
import { requireAgent, requireScope } from "../guard.ts";
import { parseInput, text, uuid, wholeNumber } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { endCommand, requeueCommand } from "./command-moves.ts";
import { requireCommandState } from "./command-states.ts";
import { type LockedCommand, lockOwnCommand } from "./lock-agent-command.ts";
import { type CommandMove, moveAgentCommand } from "./move-agent-command.ts";

const shape = z.object({
  id: uuid,
  outcome: z.enum(["accepted", "rejected", "deferred"], "must be accepted, rejected or deferred"),
  reason: text(LIMITS.textLength).nullish(),
  /** When a deferred command is delivered again. */
  retryAfterSeconds: wholeNumber(LIMITS.deferralSeconds).nullish(),
});

type Acknowledgement = z.output<typeof shape>;

/**
 * Tells what an agent makes of a command that was delivered to it: it will carry it out, it won't, or not
 * yet. A deferred command keeps its place: later ones wait for it, but for urgent ones. The same call again
 * changes nothing and is answered alike.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:ack`; not_found for another agent's;
 *   validation_failed; invalid_state.
 */
export async function acknowledgeAgentCommand(ctx: Ctx, input: z.input<typeof shape>): Promise<AgentCommand> {
  requireScope(ctx, "agent_commands:ack");
  requireAgent(ctx);
  const given = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const locked = await lockOwnCommand(tx, given.id);
    if (isReplay(locked.command, given)) return locked.command;
    requireCommandState(locked.command, "acknowledge");
    const { command, appended } = await moveAgentCommand(tx, locked, moveOf(locked, given));
    await append(tx, appended);
    return command;
  });
}

function isReplay(
  { status, acknowledgedAt, notBefore }: AgentCommand,
  { outcome }: Acknowledgement,
): boolean {
  switch (outcome) {
    case "accepted":
      return acknowledgedAt !== null && status !== "canceled";
    case "rejected":
      return status === "rejected";
    case "deferred":
      return status === "queued" && notBefore !== null;
  }
}

function moveOf(locked: LockedCommand, { outcome, reason, retryAfterSeconds }: Acknowledgement): CommandMove {
  const { command, now } = locked;
  const statusDetail = reason ?? null;
  switch (outcome) {
    case "accepted": {
      const nextDeadlineAt = secondsAfter(now, command.runTimeoutSeconds);
      const data = { status: "acknowledged", acknowledgedAt: now, nextDeadlineAt, statusDetail } as const;
      return { event: "agent_command.acknowledged", data };
    }
    case "rejected":
      return endCommand(locked, "rejected", { statusDetail });
    case "deferred": {
      const notBefore = secondsAfter(now, retryAfterSeconds ?? LIMITS.deferralSeconds.default);
      // An agent that answers is there: only deliveries that it does not answer are counted.
      return requeueCommand(locked, { notBefore, statusDetail, deliveryAttempts: 0 });
    }
  }
}

function secondsAfter(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
