import type { Mission } from "../../db/generated/client.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type MissionTransition, getStatusAfter } from "./mission-states.ts";
import type { MissionMove } from "./move-missions.ts";

/** Why a mission did not complete, with VDA 5050's levels. */
export type MissionError = {
  type: string;
  level: "warning" | "urgent" | "critical" | "fatal";
  detail: string;
  step_key: string | null;
};

/** Builds an error of the mission itself, not of a step. */
export function missionError(type: string, level: MissionError["level"], detail: string): MissionError {
  return { type, level, detail, step_key: null };
}

/** Builds the move that ends a mission. It keeps its last robot. */
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

/** Builds the move of a failed mission; canceled instead if cancellation was requested. */
export function failMission(mission: Mission, now: Date, error: MissionError): MissionMove {
  const act = mission.cancelRequestedAt === null ? "fail" : "cancel";
  return endMission(mission, act, { now, error });
}

/** Builds the move back to the queue without counting an attempt, if the robot is not the cause. */
export function unassignMission(mission: Mission, reason: string): MissionMove {
  const status = getStatusAfter(mission.status, "unassign");
  return {
    mission,
    change: { status, robotId: null, startCommandId: null, assignedAt: null },
    event: "mission.unassigned",
    eventData: { reason, from_robot_id: mission.robotId },
  };
}

/**
 * Builds the move back to the queue because the robot did not take the mission; the third time it fails as
 * `unassignable`.
 */
export function returnMission(mission: Mission, now: Date, reason: string): MissionMove {
  const dispatchAttempts = mission.dispatchAttempts + 1;
  if (dispatchAttempts < LIMITS.missionDispatches) {
    const move = unassignMission(mission, reason);
    return { ...move, change: { ...move.change, dispatchAttempts } };
  }
  const detail = `No robot accepted it in ${dispatchAttempts} attempts. The last reason: ${reason}.`;
  const error = missionError("unassignable", "urgent", detail);
  const move = endMission(mission, "giveUp", { now, error });
  return { ...move, change: { ...move.change, dispatchAttempts } };
}
