import { z } from "zod";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type EndedCommand, endCommandById } from "../missions/undo-steering.ts";
import { COMMAND_STATES, requireCommandState } from "./command-states.ts";
import { lockOwnCommand } from "./lock-agent-command.ts";
import { moveOwnCommand, defineOwnMove } from "./move-own-command.ts";

const shape = z.object({
  id: uuid,
  outcome: z.enum(["accepted", "rejected", "deferred"], "must be accepted, rejected or deferred"),
  reason: text(LIMITS.textLength).nullish(),
  /** Delay until a deferred command is delivered again. */
  retryAfterSeconds: wholeNumber(LIMITS.deferralSeconds).nullish(),
});

type Acknowledgement = z.output<typeof shape>;

/**
 * Records an agent's answer to a delivered command: it accepts, rejects or defers it. A deferred command
 * keeps its place; later normal commands wait for it. If a robot rejects a command that steers its mission,
 * the mission returns to its earlier state. Repeating the same call changes nothing and returns the same
 * result.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:ack`; not_found for another agent's
 *   command; validation_failed; invalid_state.
 */
export async function acknowledgeAgentCommand(ctx: Ctx, input: z.input<typeof shape>): Promise<AgentCommand> {
  requireScope(ctx, "agent_commands:ack");
  requireAgent(ctx);
  const given = parseInput(shape, input);
  if (given.outcome === "rejected") return endCommandById(ctx, given.id, (tx) => acknowledge(tx, given));
  return ctx.transaction(async (tx) => (await acknowledge(tx, given)).command);
}

async function acknowledge(tx: Transaction, given: Acknowledgement): Promise<EndedCommand> {
  for (;;) {
    const moved = await moveOwnCommand(tx, MOVES[given.outcome], { id: given.id, values: toValues(given) });
    if (moved !== null) return { command: moved, isLeftUndone: moved.status === "rejected" };
    const { command } = await lockOwnCommand(tx, given.id);
    if (isReplay(command, given)) return { command, isLeftUndone: false };
    requireCommandState(command, "acknowledge");
  }
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

function toValues({ outcome, reason, retryAfterSeconds }: Acknowledgement): unknown[] {
  const detail = reason ?? null;
  return outcome === "deferred" ? [detail, retryAfterSeconds ?? LIMITS.deferralSeconds.default] : [detail];
}

const from = COMMAND_STATES.acknowledge;

const MOVES = {
  accepted: defineOwnMove("agent_command.acknowledged", {
    from,
    set: `status = 'acknowledged', acknowledged_at = at.now, status_detail = $4,
  next_deadline_at = at.now + make_interval(secs => c.run_timeout_seconds)`,
  }),
  rejected: defineOwnMove("agent_command.finished", {
    from,
    set: "status = 'rejected', finished_at = at.now, status_detail = $4, next_deadline_at = NULL",
  }),
  // An agent that answers is online, so only unanswered deliveries are counted.
  deferred: defineOwnMove("agent_command.updated", {
    from,
    set: `status = 'queued', delivered_at = NULL, delivery_attempts = 0, status_detail = $4,
  not_before = at.now + make_interval(secs => $5::int), next_deadline_at = c.expires_at`,
  }),
};
