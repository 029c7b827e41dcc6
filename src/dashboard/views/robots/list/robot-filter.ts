import { CONTROL_STATES } from "../../agents/list/agent-filter.ts";

/** What robots do, those first that a person may have to do with. */
export const ROBOT_STATUSES = ["ERROR", "EXECUTING", "IDLE", "CHARGING", "PAUSED", "OFFLINE"] as const;

/** What the address keeps of the list. */
export const ROBOTS_STATE = { q: "", status: "", control: "", fleet: "", map: "" };

/** What narrows the list. */
export type RobotFilter = ReturnType<typeof toRobotFilter>;

/** The filter that the address asks for. */
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
