import type { MissionStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** All transitions between statuses of a mission. Other statuses are final. */
export const MISSION_MOVES = {
  approve: { from: ["awaiting_approval"], to: "pending" },
  assign: { from: ["pending"], to: "assigned" },
  unassign: { from: ["assigned"], to: "pending" },
  giveUp: { from: ["pending", "assigned"], to: "failed" },
  start: { from: ["assigned"], to: "running" },
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  complete: { from: ["running"], to: "completed" },
  fail: { from: ["running", "paused"], to: "failed" },
  cancel: { from: ["awaiting_approval", "pending", "assigned", "running", "paused"], to: "canceled" },
  expire: { from: ["awaiting_approval", "pending", "assigned"], to: "expired" },
} as const satisfies Record<string, { from: readonly MissionStatus[]; to: MissionStatus }>;

export type MissionTransition = keyof typeof MISSION_MOVES;

/** The statuses of a started mission, in which its steps can be reported and steered. */
export const UNDER_WAY = ["running", "paused"] as const satisfies readonly MissionStatus[];

/** The statuses in which a mission occupies a robot. */
const HELD: ReadonlySet<MissionStatus> = new Set(["assigned", ...UNDER_WAY]);

/** Whether a mission with this status occupies a robot. */
export function hasRobot(status: MissionStatus): boolean {
  return HELD.has(status);
}

/** The statuses of a mission that has no robot yet. */
const BEFORE: ReadonlySet<MissionStatus> = new Set(["awaiting_approval", "pending"]);

/** Whether a mission with this status has finished. */
export function isMissionOver(status: MissionStatus): boolean {
  return !BEFORE.has(status) && !hasRobot(status);
}

/**
 * Returns the status after a transition.
 *
 * @throws {DomainError} invalid_state; names the status and the allowed ones.
 */
export function getStatusAfter(status: MissionStatus, act: MissionTransition): MissionStatus {
  const { from, to } = MISSION_MOVES[act];
  requireStatus(status, from);
  return to;
}

/**
 * Checks that a mission's status allows an action.
 *
 * @throws {DomainError} invalid_state; names the status and the allowed ones.
 */
export function requireStatus(status: MissionStatus, allowed: readonly MissionStatus[]): void {
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The mission is ${status}.`, { currentStatus: status, allowed });
}
