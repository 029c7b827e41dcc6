import type { AgentCommand } from "../../db/generated/client.ts";
import type { AgentCommandStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** The statuses in which each thing can be done with a command. Nothing leads out of the others: they are terminal. */
export const COMMAND_STATES = {
  deliver: ["queued"],
  acknowledge: ["delivered"],
  progress: ["acknowledged", "running"],
  result: ["acknowledged", "running"],
  cancel: ["queued", "delivered", "acknowledged", "running"],
} as const satisfies Record<string, readonly AgentCommandStatus[]>;

/** Something that can be done with a command. */
export type CommandAct = keyof typeof COMMAND_STATES;

/** Whether nothing more can become of a command. */
export function isCommandOver({ status }: Pick<AgentCommand, "status">): boolean {
  const open: readonly AgentCommandStatus[] = COMMAND_STATES.cancel;
  return !open.includes(status);
}

/**
 * Holds a command's status to what is to be done with it.
 *
 * @throws {DomainError} invalid_state, which names the status and those that would do.
 */
export function requireCommandState({ status }: Pick<AgentCommand, "status">, act: CommandAct): void {
  const allowed: readonly AgentCommandStatus[] = COMMAND_STATES[act];
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The command is ${status}.`, { currentStatus: status, allowed });
}
