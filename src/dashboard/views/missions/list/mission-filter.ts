import { toGlobalId, isUuid } from "../../../data/global-id.ts";
import { MISSION_KINDS, MISSION_STATUSES } from "../mission-states.ts";

/** Filters in the URL, with their defaults. */
export const MISSIONS_STATE = { status: "", kind: "", robot: "" };

/** Converts the URL's filters to the GraphQL filter. */
export function toMissionFilter({
  status,
  kind,
  robot,
}: Readonly<Record<keyof typeof MISSIONS_STATE, string>>) {
  return {
    status: MISSION_STATUSES.find((one) => one === status) ?? null,
    kind: MISSION_KINDS.find((one) => one === kind) ?? null,
    robotId: isUuid(robot) ? toGlobalId("Robot", robot) : null,
  };
}
