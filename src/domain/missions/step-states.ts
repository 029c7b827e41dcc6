import type { MissionStep } from "../../db/generated/client.ts";
import type { MissionStepStatus } from "../../db/generated/enums.ts";
import { DomainError } from "../kernel/errors.ts";

/** The statuses of unfinished steps. */
export const OPEN_STEPS = [
  "waiting",
  "initializing",
  "running",
  "paused",
  "retriable",
] as const satisfies readonly MissionStepStatus[];

/** Whether a step can still change. */
export function isOpen({ status }: Pick<MissionStep, "status">): boolean {
  const open: readonly MissionStepStatus[] = OPEN_STEPS;
  return open.includes(status);
}

/** Whether a step is finished or skipped. */
export function isDone({ status }: Pick<MissionStep, "status">): boolean {
  return status === "finished" || status === "skipped";
}

/** The share of finished and skipped steps, 0 to 1. */
export function getProgress(steps: readonly Pick<MissionStep, "status">[]): number {
  return steps.length === 0 ? 0 : steps.filter(isDone).length / steps.length;
}

/**
 * Checks that a step's status allows an action.
 *
 * @throws {DomainError} invalid_state; names the step's status and the allowed ones.
 */
export function requireStepStatus(
  { key, status }: Pick<MissionStep, "key" | "status">,
  allowed: readonly MissionStepStatus[],
): void {
  if (allowed.includes(status)) return;
  throw new DomainError("invalid_state", `The step ${key} is ${status}.`, { currentStatus: status, allowed });
}
