import { isDeepStrictEqual } from "node:util";
import type { MissionStep } from "../../db/generated/client.ts";
import { createFieldError } from "../kernel/errors.ts";
import type { LockedMission } from "./lock-mission.ts";
import type { ReportedStep } from "./mission-report.ts";
import { OPEN_STEPS, isOpen, requireStepStatus } from "./step-states.ts";

/**
 * Returns the changed steps of a report. Reports of a step that an operator has skipped are ignored: the
 * robot may not know it yet.
 *
 * @throws {DomainError} validation_failed for an unknown step or a skipped one; invalid_state for a step
 *   that has finished otherwise.
 */
export function getChangedSteps(
  { steps, now }: LockedMission,
  reports: readonly ReportedStep[],
): MissionStep[] {
  return reports.flatMap((report, index) => {
    const step = steps.find(({ key }) => key === report.key);
    if (step === undefined) throw createFieldError(`steps.${index}.key`, "is not a step of the mission");
    if (step.status === "skipped" || (!isOpen(step) && step.status === report.status)) return [];
    requireStepStatus(step, OPEN_STEPS);
    if (report.status === "skipped")
      throw createFieldError(`steps.${index}.status`, "can't be skipped: only operators skip steps");
    const after = applyStepReport(step, report, now);
    return isDeepStrictEqual(after, step) ? [] : [after];
  });
}

function applyStepReport(step: MissionStep, { status, result, error }: ReportedStep, now: Date): MissionStep {
  const hasBegun = status !== "waiting";
  const isAmiss = status === "failed" || status === "retriable";
  return {
    ...step,
    status,
    result: result ?? step.result,
    error: isAmiss ? (error ?? step.error) : null,
    startedAt: step.startedAt ?? (hasBegun ? now : null),
    finishedAt: isOpen({ status }) ? null : now,
    beforeSteering: status === step.status ? step.beforeSteering : null,
  };
}
