import type { Mission, MissionStep } from "../../db/generated/client.ts";
import { DomainError } from "../kernel/errors.ts";
import type { LockedMission } from "./lock-mission.ts";
import { type MissionError, endMission, failMission, missionError } from "./mission-moves.ts";
import { UNDER_WAY, isMissionOver, requireStatus, getStatusAfter } from "./mission-states.ts";
import type { MissionMove } from "./move-missions.ts";
import type { MissionReport } from "./mission-report.ts";
import { isDone, isOpen, getProgress } from "./step-states.ts";

/**
 * Returns the move of a mission after its robot's report, which changes these steps; null for none.
 *
 * @throws {DomainError} invalid_state if the robot does not have the mission any more, or the report
 *   contradicts it.
 */
export function findProgressMove(
  { mission, steps, now }: LockedMission,
  { status, steps: reportedSteps }: MissionReport,
  changed: readonly MissionStep[],
): MissionMove | null {
  const tellsNothing = changed.length === 0 && (status ?? mission.status) === mission.status;
  // A robot that works on a finished mission must get an error.
  const isOver = isMissionOver(mission.status) && reportedSteps.some(isOpen);
  if (tellsNothing && mission.status !== "assigned" && !isOver) return null;
  const after = steps.map((step) => changed.find(({ seq }) => seq === step.seq) ?? step);
  const begun = begin(mission, now);
  const underWay = { ...begun, progress: getProgress(after) };
  const move = findEnd(underWay, { status, steps: after, now }) ?? continueMission(underWay, status);
  // Only differences from the stored mission are written.
  const { startedAt, progress } = underWay;
  return { ...move, mission, change: { startedAt, progress, idleReports: 0, ...move.change } };
}

/** The first report starts a mission. */
function begin(mission: Mission, now: Date): Mission {
  if (mission.status === "assigned")
    return { ...mission, status: getStatusAfter(mission.status, "start"), startedAt: now };
  requireStatus(mission.status, ["assigned", ...UNDER_WAY]);
  return mission;
}

type ReportOutcome = { status: MissionReport["status"]; steps: readonly MissionStep[]; now: Date };

/** Returns how the mission ends by a report: the worst status counts. */
function findEnd(mission: Mission, { status, steps, now }: ReportOutcome): MissionMove | null {
  const failed = steps.find((step) => step.status === "failed");
  if (failed !== undefined) return failMission(mission, now, toMissionError(failed));
  if (status === "failed") {
    return failMission(
      mission,
      now,
      missionError("robot_failed", "critical", "The robot reported the mission as failed."),
    );
  }
  if (status === "canceled") return confirmCancel(mission, now);
  if (steps.every(isDone)) {
    // A robot that has done the last step is not paused any more.
    const running = {
      ...mission,
      status: continueMission(mission, "running").change.status ?? mission.status,
    };
    return endMission(running, "complete", { now });
  }
  if (status === "completed") {
    const open = steps.filter((step) => !isDone(step)).map(({ key }) => key);
    throw new DomainError("invalid_state", `These steps are not finished: ${open.join(", ")}.`);
  }
  return null;
}

function confirmCancel(mission: Mission, now: Date): MissionMove {
  if (mission.cancelRequestedAt === null) {
    throw new DomainError(
      "invalid_state",
      "Cancellation of this mission was not requested. Report it as failed instead.",
    );
  }
  return endMission(mission, "cancel", { now });
}

function continueMission(mission: Mission, status: MissionReport["status"]): MissionMove {
  const act = status === "paused" ? "pause" : "resume";
  const isOther = (status === "paused" || status === "running") && status !== mission.status;
  const after = isOther ? getStatusAfter(mission.status, act) : mission.status;
  return { mission, change: { status: after }, event: "mission.updated" };
}

/** Builds a mission's error from its failed step, in the robot's words. */
function toMissionError({ key, error }: MissionStep): MissionError {
  // Any object can be read as a record.
  const reported = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  const level = LEVELS.find((one) => one === reported["level"]) ?? "critical";
  const detail = typeof reported["detail"] === "string" ? reported["detail"] : `The step ${key} failed.`;
  const type = typeof reported["type"] === "string" ? reported["type"] : "step_failed";
  return { type, level, detail, step_key: key };
}

const LEVELS = ["warning", "urgent", "critical", "fatal"] as const;
