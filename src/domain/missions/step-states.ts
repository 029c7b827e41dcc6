import type { MissionStep } from "../../db/generated/client.ts";
import type { MissionStepStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** The statuses from which a step can come to any other. Nothing leads out of the others. */
export const OPEN_STEPS = [
  "waiting",
  "initializing",
  "running",
  "paused",
  "retriable",
] as const satisfies readonly MissionStepStatus[];

/** Whether more can become of a step. */
export function isOpen({ status }: Pick<MissionStep, "status">): boolean {
  const open: readonly MissionStepStatus[] = OPEN_STEPS;
  return open.includes(status);
}

/** Whether a step is behind its mission. */
export function isDone({ status }: Pick<MissionStep, "status">): boolean {
  return status === "finished" || status === "skipped";
}

/** How much of a mission is behind it, 0 to 1. */
export function getProgress(steps: readonly Pick<MissionStep, "status">[]): number {
  return steps.length === 0 ? 0 : steps.filter(isDone).length / steps.length;
}

/**
 * Holds a step's status to what is to be done with it.
 *
 * @throws {DomainError} invalid_state, which names the step's status and those that would do.
 */
export function requireStepStatus(
  { key, status }: Pick<MissionStep, "key" | "status">,
  allowed: readonly MissionStepStatus[],
): void {
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The step ${key} is ${status}.`, { currentStatus: status, allowed });
}
