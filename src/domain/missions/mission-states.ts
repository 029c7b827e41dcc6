import type { MissionStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** Every way from one status of a mission to another. Nothing leads out of the others: they are terminal. */
export const MISSION_MOVES = {
  assign: { from: ["pending"], to: "assigned" },
  unassign: { from: ["assigned"], to: "pending" },
  giveUp: { from: ["pending", "assigned"], to: "failed" },
  start: { from: ["assigned"], to: "running" },
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
  complete: { from: ["running"], to: "completed" },
  fail: { from: ["running", "paused"], to: "failed" },
  cancel: { from: ["pending", "assigned", "running", "paused"], to: "canceled" },
  expire: { from: ["pending", "assigned"], to: "expired" },
} as const satisfies Record<string, { from: readonly MissionStatus[]; to: MissionStatus }>;

/** A way from one status of a mission to another. */
export type MissionTransition = keyof typeof MISSION_MOVES;

/** The statuses of a mission whose robot has begun and not ended it: in them its steps can be reported and steered. */
export const UNDER_WAY = ["running", "paused"] as const satisfies readonly MissionStatus[];

/** The statuses in which a mission has its robot for itself. */
const HELD: ReadonlySet<MissionStatus> = new Set(["assigned", ...UNDER_WAY]);

/** Whether a mission of this status has its robot for itself. */
export function hasRobot(status: MissionStatus): boolean {
  return HELD.has(status);
}

/** Whether nothing more can become of a mission. */
export function isMissionOver(status: MissionStatus): boolean {
  return status !== "pending" && !hasRobot(status);
}

/**
 * The status that an act leads to.
 *
 * @throws {DomainError} invalid_state, which names the status and those from which it can be done.
 */
export function getStatusAfter(status: MissionStatus, act: MissionTransition): MissionStatus {
  const { from, to } = MISSION_MOVES[act];
  requireStatus(status, from);
  return to;
}

/**
 * Holds a mission's status to what is to be done with it.
 *
 * @throws {DomainError} invalid_state, which names the status and those that would do.
 */
export function requireStatus(status: MissionStatus, allowed: readonly MissionStatus[]): void {
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The mission is ${status}.`, { currentStatus: status, allowed });
}
