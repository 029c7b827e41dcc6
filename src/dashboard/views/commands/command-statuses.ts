/** Command statuses in the order of a command's life. */
export const COMMAND_STATUSES = [
  "AWAITING_APPROVAL",
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

export type CommandStatus = (typeof COMMAND_STATUSES)[number];

const OPEN: ReadonlySet<CommandStatus> = new Set([
  "AWAITING_APPROVAL",
  "QUEUED",
  "DELIVERED",
  "ACKNOWLEDGED",
  "RUNNING",
]);

/** Whether a command has not finished yet. */
export function isCommandOpen(status: CommandStatus): boolean {
  return OPEN.has(status);
}
