import type { Robot } from "../../db/generated/client.ts";
import type { RobotReport } from "./robot-report.ts";
import { robotStatus } from "./robot-status.ts";
import { isLater } from "./state-sequence.ts";

/** What of a robot's row its event names. */
export type StateChange = Partial<
  Pick<Robot, "status" | "operatingMode" | "emergencyStop" | "fieldViolation"> & { errorCount: number }
>;

/** What a report changes of what everybody is told at once; an error's texts may differ from report to report. */
export function stateChangeOf(before: Robot, report: RobotReport): StateChange {
  const { operatingMode, emergencyStop, fieldViolation, errors } = report;
  const told = { status: statusOf(report), operatingMode, emergencyStop, fieldViolation } as const;
  const changed = Object.entries(told).filter(([name, value]) => Reflect.get(before, name) !== value);
  const isSameErrors = kindsOf(before.errors) === kindsOf(errors);
  return { ...Object.fromEntries(changed), ...(!isSameErrors && { errorCount: errors.length }) };
}

/** Whether a report is written in a transaction of its own. */
export function isAppliedAtOnce(before: Robot, report: RobotReport): boolean {
  // It begins a sequence anew.
  if (!isLater(report, before.stateSeq)) return true;
  if (before.currentMissionId !== null && statusOf(report) === "idle") return true;
  return Object.keys(stateChangeOf(before, report)).length > 0;
}

/** The status of who reports, and so is not silent. */
export function statusOf(report: RobotReport): Robot["status"] {
  return robotStatus({ ...report, isSilent: false });
}

function kindsOf(errors: unknown): string {
  // The column holds what was held to its shape when it was reported.
  const kept = errors as RobotReport["errors"];
  return JSON.stringify(kept.map(({ type, level }) => [type, level]));
}
