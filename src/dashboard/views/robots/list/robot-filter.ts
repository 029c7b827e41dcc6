import { CONTROL_STATES } from "../../agents/list/agent-filter.ts";

/** Robot statuses. Those that may need attention come first. */
export const ROBOT_STATUSES = ["ERROR", "EXECUTING", "IDLE", "CHARGING", "PAUSED", "OFFLINE"] as const;

/** Filters in the URL, with their defaults. */
export const ROBOTS_STATE = { q: "", status: "", control: "", fleet: "", map: "" };

export type RobotFilter = ReturnType<typeof toRobotFilter>;

/** Converts the URL's filters to the GraphQL filter. */
export function toRobotFilter({
  q,
  status,
  control,
  fleet,
}: Readonly<Record<"q" | "status" | "control" | "fleet", string>>) {
  return {
    search: q.trim() === "" ? null : q.trim(),
    status: ROBOT_STATUSES.find((one) => one === status) ?? null,
    controlState: CONTROL_STATES.find((one) => one === control) ?? null,
    fleet: fleet === "" ? null : fleet,
  };
}
