import type { Agent, AgentCommandStatus, Mission, Robot } from "../../db/generated/client.ts";
import { LIMITS } from "../kernel/limits.ts";
import { endMission, failMission, missionError, returnMission, unassignMission } from "./mission-moves.ts";
import type { MissionMove } from "./move-missions.ts";

/** A mission that may be due, locked with its robot, and all that it depends on. */
export type DueMission = {
  mission: Mission;
  /** Its robot, or the one that it waits for; null where any will do. */
  robot:
    | (Pick<Robot, "status" | "stateAt"> & Pick<Agent, "controlState" | "archivedAt" | "lastSeenAt">)
    | null;
  /** The command by which it was given to its robot. */
  start: { status: AgentCommandStatus; acknowledgedAt: Date | null } | null;
  /** Whether everything in the workspace is stopped. */
  isStopped: boolean;
  /** Whether it is pending for as long as the workspace keeps missions. */
  hasWaitedTooLong: boolean;
  now: Date;
};

/** What becomes of a mission, and how its robot is told. */
export type DueMove = { move: MissionMove; instruction: "recall" | "cancel" | null };

/** The ends of a start by which its robot says, or shows, that it has not taken the mission. */
const NOT_TAKEN: ReadonlySet<AgentCommandStatus> = new Set([
  "rejected",
  "expired",
  "timed_out",
  "failed",
  "canceled",
]);

/**
 * What time, or somebody else, has made of a mission: null for nothing. Every rule by which a mission ends or
 * goes back without a word of its robot stands here, the weightiest first:
 *
 * 1. Its deadline has passed: it has expired, or failed where its robot had begun it. One that no robot took for
 *    as long as the workspace keeps missions has expired too.
 * 2. A cancel was not confirmed for 60 s: it is canceled, with a note.
 * 3. Its robot was archived or stopped: what has begun fails, what has not waits for another robot. A paused
 *    robot keeps its mission. A mission that is for an archived robot alone fails.
 * 4. Its robot was not heard of for 10 minutes: it is lost. Before it has begun the mission, offline is enough.
 * 5. It has not begun, and there is an emergency stop: it waits for its end. One that has begun goes on after it.
 * 6. Its robot has not taken it, or has not begun 60 s after it took it: it goes back, which counts.
 */
export function findDueMove(due: DueMission): DueMove | null {
  switch (due.mission.status) {
    case "pending":
      return findPendingMove(due);
    case "assigned":
      return findAssignedMove(due);
    case "running":
    case "paused":
      return findUnderWayMove(due);
    case "completed":
    case "failed":
    case "canceled":
    case "expired":
      return null;
  }
}

function findPendingMove({ mission, robot, hasWaitedTooLong, now }: DueMission): DueMove | null {
  if (isPast(mission.deadlineAt, now))
    return { move: endMission(mission, "expire", { now }), instruction: null };
  if (hasWaitedTooLong) {
    const detail = "No robot took it for as long as the workspace keeps missions.";
    const error = missionError("never_started", "warning", detail);
    return { move: endMission(mission, "expire", { now, error }), instruction: null };
  }
  if (!robot?.archivedAt) return null;
  const error = missionError("unassignable", "urgent", "The robot that it is for was archived.");
  return { move: endMission(mission, "giveUp", { now, error }), instruction: null };
}

function findAssignedMove({ mission, robot, start, isStopped, now }: DueMission): DueMove | null {
  if (isPast(mission.deadlineAt, now))
    return { move: endMission(mission, "expire", { now }), instruction: "recall" };
  const hindrance = findHindrance(robot) ?? (isStopped ? "emergency_stop" : null);
  if (hindrance !== null) return { move: unassignMission(mission, hindrance), instruction: "recall" };
  if (start === null) return { move: returnMission(mission, now, "not_started"), instruction: null };
  if (NOT_TAKEN.has(start.status)) {
    const instruction = start.status === "timed_out" ? "recall" : null;
    return { move: returnMission(mission, now, `start_${start.status}`), instruction };
  }
  if (robot?.status === "offline")
    return { move: returnMission(mission, now, "robot_offline"), instruction: "recall" };
  if (!isPast(addSeconds(start.acknowledgedAt, LIMITS.missionFirstProgressSeconds), now)) return null;
  return { move: returnMission(mission, now, "no_progress"), instruction: "recall" };
}

function findUnderWayMove({ mission, robot, now }: DueMission): DueMove | null {
  if (isPast(mission.deadlineAt, now)) {
    const error = missionError("deadline_exceeded", "urgent", "The mission's deadline has passed.");
    return { move: failMission(mission, now, error), instruction: "cancel" };
  }
  if (isPast(addSeconds(mission.cancelRequestedAt, LIMITS.missionCancelSeconds), now)) {
    const detail = `The robot did not confirm the cancel within ${LIMITS.missionCancelSeconds} s.`;
    const error = missionError("cancel_unconfirmed", "warning", detail);
    return { move: endMission(mission, "cancel", { now, error }), instruction: null };
  }
  const hindrance = findHindrance(robot);
  if (hindrance !== null) {
    const error = missionError(hindrance, "urgent", HINDRANCES[hindrance]);
    return { move: failMission(mission, now, error), instruction: "cancel" };
  }
  if (
    robot?.status !== "offline" ||
    !isPast(addSeconds(getLastSeenAt(mission, robot), LIMITS.missionLostSeconds), now)
  ) {
    return null;
  }
  const detail = `Nothing was heard of the robot for ${LIMITS.missionLostSeconds / 60} minutes.`;
  return {
    move: failMission(mission, now, missionError("robot_lost", "critical", detail)),
    instruction: "cancel",
  };
}

const HINDRANCES = {
  robot_archived: "The robot was archived.",
  robot_stopped: "The robot was stopped by an operator.",
} as const;

function findHindrance(robot: DueMission["robot"]): keyof typeof HINDRANCES | null {
  if (robot?.archivedAt) return "robot_archived";
  return robot?.controlState === "stopped" ? "robot_stopped" : null;
}

/** When a robot was heard of last, in whatever way. */
function getLastSeenAt(
  { updatedAt }: Mission,
  { stateAt, lastSeenAt }: NonNullable<DueMission["robot"]>,
): Date {
  return new Date(Math.max(updatedAt.getTime(), stateAt?.getTime() ?? 0, lastSeenAt?.getTime() ?? 0));
}

function addSeconds(at: Date | null, seconds: number): Date | null {
  return at && new Date(at.getTime() + seconds * 1000);
}

function isPast(at: Date | null, now: Date): boolean {
  return at !== null && at <= now;
}
