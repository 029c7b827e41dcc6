import type { Mission } from "../../db/generated/client.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type MissionTransition, getStatusAfter } from "./mission-states.ts";
import type { MissionMove } from "./move-missions.ts";

/** Why a mission ended otherwise than well, in VDA 5050's levels. */
export type MissionError = {
  type: string;
  level: "warning" | "urgent" | "critical" | "fatal";
  detail: string;
  step_key: string | null;
};

/** A mission's error that is no step's. */
export function missionError(type: string, level: MissionError["level"], detail: string): MissionError {
  return { type, level, detail, step_key: null };
}

/** The end of a mission. Which robot had it stays known. */
export function endMission(
  mission: Mission,
  act: Extract<MissionTransition, "giveUp" | "complete" | "fail" | "cancel" | "expire">,
  { now, error = null }: { now: Date; error?: MissionError | null },
): MissionMove {
  const status = getStatusAfter(mission.status, act);
  return {
    mission,
    change: { status, finishedAt: now, error, idleReports: 0 },
    event: "mission.finished",
    eventData: error === null ? {} : { reason: error.type },
  };
}

/** The end of a mission that something went wrong with; where its cancel was asked for, it is canceled instead. */
export function failMission(mission: Mission, now: Date, error: MissionError): MissionMove {
  const act = mission.cancelRequestedAt === null ? "fail" : "cancel";
  return endMission(mission, act, { now, error });
}

/** Back into the queue, by no fault of the robot's: that does not count as an attempt. */
export function unassignMission(mission: Mission, reason: string): MissionMove {
  const status = getStatusAfter(mission.status, "unassign");
  return {
    mission,
    change: { status, robotId: null, startCommandId: null, assignedAt: null },
    event: "mission.unassigned",
    eventData: { reason, from_robot_id: mission.robotId },
  };
}

/** Back into the queue, because its robot did not take it; the third time it fails as `unassignable`. */
export function returnMission(mission: Mission, now: Date, reason: string): MissionMove {
  const dispatchAttempts = mission.dispatchAttempts + 1;
  if (dispatchAttempts < LIMITS.missionDispatches) {
    const move = unassignMission(mission, reason);
    return { ...move, change: { ...move.change, dispatchAttempts } };
  }
  const detail = `No robot took it in ${dispatchAttempts} attempts; the last one: ${reason}.`;
  const error = missionError("unassignable", "urgent", detail);
  const move = endMission(mission, "giveUp", { now, error });
  return { ...move, change: { ...move.change, dispatchAttempts } };
}
