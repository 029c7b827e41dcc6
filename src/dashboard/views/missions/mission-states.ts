/** Mission statuses. Those that may need attention come first. */
export const MISSION_STATUSES = [
  "AWAITING_APPROVAL",
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

const BEFORE_START: ReadonlySet<MissionStatus> = new Set(["AWAITING_APPROVAL", "PENDING", "ASSIGNED"]);

/** Whether a mission is in a final status. */
export function hasMissionEnded(status: MissionStatus): boolean {
  return !isUnderWay(status) && !BEFORE_START.has(status);
}
