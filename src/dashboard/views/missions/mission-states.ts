/** The statuses of missions, those first that a person may have to do with. */
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

/** How a mission stands. */
export type MissionStatus = (typeof MISSION_STATUSES)[number];

/** What missions are for. */
export const MISSION_KINDS = ["TRANSPORT", "INSPECTION", "PATROL", "DOCK", "CUSTOM"] as const;

/** Whether its robot has begun a mission and not ended it: then its steps can be steered. */
export function isUnderWay(status: MissionStatus): boolean {
  return status === "RUNNING" || status === "PAUSED";
}

/** Whether nothing more can become of a mission. */
export function hasMissionEnded(status: MissionStatus): boolean {
  return !isUnderWay(status) && status !== "PENDING" && status !== "ASSIGNED";
}
