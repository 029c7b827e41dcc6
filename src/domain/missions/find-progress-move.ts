import type { Mission, MissionStep } from "../../db/generated/client.ts";
import { DomainError } from "../kernel/errors.ts";
import type { LockedMission } from "./lock-mission.ts";
import { type MissionError, endMission, failMission, missionError } from "./mission-moves.ts";
import { UNDER_WAY, isMissionOver, requireStatus, getStatusAfter } from "./mission-states.ts";
import type { MissionMove } from "./move-missions.ts";
import type { MissionReport } from "./mission-report.ts";
import { isDone, isOpen, getProgress } from "./step-states.ts";

/**
 * What becomes of a mission by its robot's report, which changes these steps; null where nothing does.
 *
 * @throws {DomainError} invalid_state where the mission is not at the robot any more, or the report can't be.
 */
export function findProgressMove(
  { mission, steps, now }: LockedMission,
  { status, steps: reportedSteps }: MissionReport,
  changed: readonly MissionStep[],
): MissionMove | null {
  const tellsNothing = changed.length === 0 && (status ?? mission.status) === mission.status;
  // A robot that is at work on what has ended must hear so.
  const isOver = isMissionOver(mission.status) && reportedSteps.some(isOpen);
  if (tellsNothing && mission.status !== "assigned" && !isOver) return null;
  const after = steps.map((step) => changed.find(({ seq }) => seq === step.seq) ?? step);
  const begun = begin(mission, now);
  const underWay = { ...begun, progress: getProgress(after) };
  const move = findEnd(underWay, { status, steps: after, now }) ?? continueMission(underWay, status);
  // What is written is the difference to the mission as it is stored.
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

/** The end that a report brings: the worst that it tells counts. */
function findEnd(mission: Mission, { status, steps, now }: ReportOutcome): MissionMove | null {
  const failed = steps.find((step) => step.status === "failed");
  if (failed !== undefined) return failMission(mission, now, toMissionError(failed));
  if (status === "failed") {
    return failMission(
      mission,
      now,
      missionError("robot_failed", "critical", "The robot gave the mission up."),
    );
  }
  if (status === "canceled") return confirmCancel(mission, now);
  if (steps.every(isDone)) {
    // A robot that has done the last step was not held up any more.
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
    throw new DomainError("invalid_state", "Nobody has asked to cancel the mission: report it failed.");
  }
  return endMission(mission, "cancel", { now });
}

function continueMission(mission: Mission, status: MissionReport["status"]): MissionMove {
  const act = status === "paused" ? "pause" : "resume";
  const isOther = (status === "paused" || status === "running") && status !== mission.status;
  const after = isOther ? getStatusAfter(mission.status, act) : mission.status;
  return { mission, change: { status: after }, event: "mission.updated" };
}

/** A mission's error from the step that failed, which is told in the robot's own words. */
function toMissionError({ key, error }: MissionStep): MissionError {
  // An object has members, whatever they are.
  const reported = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  const level = LEVELS.find((one) => one === reported["level"]) ?? "critical";
  const detail = typeof reported["detail"] === "string" ? reported["detail"] : `The step ${key} failed.`;
  const type = typeof reported["type"] === "string" ? reported["type"] : "step_failed";
  return { type, level, detail, step_key: key };
}

const LEVELS = ["warning", "urgent", "critical", "fatal"] as const;
