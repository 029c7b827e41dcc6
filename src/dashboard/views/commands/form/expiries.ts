import type { Option } from "../../../ui/form/select-field.tsx";

/** Options for how long a command may wait for delivery, in seconds. */
export const COMMAND_EXPIRIES: readonly Option[] = [
  ["60", "in 1 minute"],
  ["600", "in 10 minutes"],
  ["3600", "in 1 hour"],
  ["86400", "in 1 day"],
  ["604800", "in 7 days"],
];
