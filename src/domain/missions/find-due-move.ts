import type { Agent, AgentCommandStatus, Mission, Robot } from "../../db/generated/client.ts";
import { LIMITS } from "../kernel/limits.ts";
import { endMission, failMission, missionError, returnMission, unassignMission } from "./mission-moves.ts";
import type { MissionMove } from "./move-missions.ts";

/** A mission that may be due, locked with its robot, and everything that decides about it. */
export type DueMission = {
  mission: Mission;
  /** Its robot, or the one that it waits for; null if it waits for any. */
  robot:
    | (Pick<Robot, "status" | "stateAt"> & Pick<Agent, "controlState" | "archivedAt" | "lastSeenAt">)
    | null;
  /** The command that sent it to its robot. */
  start: { status: AgentCommandStatus; acknowledgedAt: Date | null } | null;
  /** Whether an emergency stop is active. */
  isStopped: boolean;
  /** Whether it has been pending for the whole retention period of missions. */
  hasWaitedTooLong: boolean;
  now: Date;
};

/** A mission's move, and the command to its robot. */
export type DueMove = { move: MissionMove; instruction: "recall" | "cancel" | null };

/** Statuses of a start command that show that the robot has not taken the mission. */
const NOT_TAKEN: ReadonlySet<AgentCommandStatus> = new Set([
  "rejected",
  "expired",
  "timed_out",
  "failed",
  "canceled",
]);

/**
 * Returns the move of a mission that time or another change has made due; null for none. These are all
 * rules by which a mission ends or returns to the queue without a report of its robot, in order of
 * precedence:
 *
 * 1. Its deadline has passed: it expires, or fails if its robot has started it. A mission that was not
 * assigned during the whole retention period expires too.
 * 2. A cancellation was not confirmed for 60 s: it is canceled, with a note.
 * 3. Its robot was archived or stopped: if started, it fails; otherwise it waits for another robot. A
 * paused robot keeps its mission. A mission for only an archived robot fails.
 * 4. Its robot was not seen for 10 minutes: it is lost. Before the start, offline is enough.
 * 5. It has not started, and there is an emergency stop: it waits for the release. A started mission
 * continues after it.
 * 6. Its robot has not accepted it, or has not started it 60 s after accepting: it returns to the queue,
 * which counts as an attempt.
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
    case "awaiting_approval":
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
    const detail = "No robot was available during the whole retention period of missions.";
    const error = missionError("never_started", "warning", detail);
    return { move: endMission(mission, "expire", { now, error }), instruction: null };
  }
  if (!robot?.archivedAt) return null;
  const error = missionError("unassignable", "urgent", "The robot of this mission was archived.");
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
    const detail = `The robot did not confirm the cancellation within ${LIMITS.missionCancelSeconds} s.`;
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
  const detail = `The robot was not seen for ${LIMITS.missionLostSeconds / 60} minutes.`;
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

/** When a robot was last seen, by report or request. */
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
