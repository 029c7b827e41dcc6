/** Mission statuses. Those that may need attention come first. */
export const MISSION_STATUSES = [
  "PAUSED",
  "RUNNING",
  "ASSIGNED",
  "PENDING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "EXPIRED",
] as const;

export type MissionStatus = (typeof MISSION_STATUSES)[number];

export const MISSION_KINDS = ["TRANSPORT", "INSPECTION", "PATROL", "DOCK", "CUSTOM"] as const;

/** Whether a mission has started and not finished, so that its steps can be retried or skipped. */
export function isUnderWay(status: MissionStatus): boolean {
  return status === "RUNNING" || status === "PAUSED";
}

/** Whether a mission is in a final status. */
export function hasMissionEnded(status: MissionStatus): boolean {
  return !isUnderWay(status) && status !== "PENDING" && status !== "ASSIGNED";
}
