/** The statuses of commands, in the order in which they are come to. */
export const COMMAND_STATUSES = [
  "QUEUED",
  "DELIVERED",
  "ACKNOWLEDGED",
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "REJECTED",
  "TIMED_OUT",
  "EXPIRED",
  "CANCELED",
] as const;

/** How a command stands. */
export type CommandStatus = (typeof COMMAND_STATUSES)[number];

const OPEN: ReadonlySet<CommandStatus> = new Set(["QUEUED", "DELIVERED", "ACKNOWLEDGED", "RUNNING"]);

/** Whether something may still become of a command. */
export function isCommandOpen(status: CommandStatus): boolean {
  return OPEN.has(status);
}
