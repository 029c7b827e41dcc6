import type { Option } from "../../../ui/form/select-field.tsx";

/** How long a command may wait for its delivery, in seconds. */
export const COMMAND_EXPIRIES: readonly Option[] = [
  ["60", "in a minute"],
  ["600", "in 10 minutes"],
  ["3600", "in an hour"],
  ["86400", "in a day"],
  ["604800", "in a week"],
];
