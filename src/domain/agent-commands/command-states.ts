import type { AgentCommand } from "../../db/generated/client.ts";
import type { AgentCommandStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** The statuses in which each action on a command is allowed. A command in any other status has finished. */
export const COMMAND_STATES = {
  deliver: ["queued"],
  acknowledge: ["delivered"],
  progress: ["acknowledged", "running"],
  result: ["acknowledged", "running"],
  cancel: ["awaiting_approval", "queued", "delivered", "acknowledged", "running"],
} as const satisfies Record<string, readonly AgentCommandStatus[]>;

export type CommandAct = keyof typeof COMMAND_STATES;

/** Whether the command has finished. */
export function isCommandOver({ status }: Pick<AgentCommand, "status">): boolean {
  const open: readonly AgentCommandStatus[] = COMMAND_STATES.cancel;
  return !open.includes(status);
}

/**
 * Checks that a command's status allows an action.
 *
 * @throws {DomainError} invalid_state; names the status and the allowed ones.
 */
export function requireCommandState({ status }: Pick<AgentCommand, "status">, act: CommandAct): void {
  const allowed: readonly AgentCommandStatus[] = COMMAND_STATES[act];
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The command is ${status}.`, { currentStatus: status, allowed });
}
