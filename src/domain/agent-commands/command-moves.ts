import type { AgentCommand } from "../../db/generated/client.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { LockedCommand } from "./lock-agent-command.ts";
import type { CommandMove } from "./move-agent-command.ts";

/** A status in which a command has finished. */
type TerminalStatus = Extract<
  AgentCommand["status"],
  "succeeded" | "failed" | "rejected" | "timed_out" | "expired" | "canceled"
>;

/** Builds the move that finishes a command. */
export function endCommand(
  { now }: LockedCommand,
  status: TerminalStatus,
  data: CommandMove["data"] = {},
): CommandMove {
  return {
    event: "agent_command.finished",
    data: { ...data, status, finishedAt: now, nextDeadlineAt: null },
  };
}

/** Builds the move that returns a command to its place in the agent's queue, from `notBefore` on. */
export function requeueCommand({ command }: LockedCommand, data: CommandMove["data"] = {}): CommandMove {
  return {
    event: "agent_command.updated",
    data: { ...data, status: "queued", deliveredAt: null, nextDeadlineAt: command.expiresAt },
  };
}

/** Builds the move of a command whose deadline has passed, by its status. */
export function buildOverdueMove(locked: LockedCommand): CommandMove {
  const { command, now } = locked;
  if (command.status === "acknowledged" || command.status === "running") {
    return endCommand(locked, "timed_out", {
      statusDetail: `No result within ${command.runTimeoutSeconds} s.`,
    });
  }
  if (command.expiresAt <= now) return endCommand(locked, "expired");
  if (command.status === "delivered" && command.deliveryAttempts >= LIMITS.deliveryAttempts) {
    const statusDetail = `Not acknowledged after ${LIMITS.deliveryAttempts} deliveries.`;
    return endCommand(locked, "expired", { statusDetail });
  }
  return requeueCommand(locked);
}
