import type { Robot, RobotStatus } from "../../db/generated/client.ts";
import type { RobotReport } from "./robot-report.ts";
import { isLater } from "./state-sequence.ts";

/** The fields that the event of a state change names. */
export type StateChange = Partial<
  Pick<Robot, "status" | "operatingMode" | "emergencyStop" | "fieldViolation"> & { errorCount: number }
>;

/**
 * Returns the changes that are published immediately. The texts of errors may differ from report to report
 * and don't count.
 */
export function getStateChange(before: Robot, report: RobotReport): StateChange {
  const { operatingMode, emergencyStop, fieldViolation, errors } = report;
  const reported = {
    status: getReportedStatus(report),
    operatingMode,
    emergencyStop,
    fieldViolation,
  } as const;
  const changed = Object.entries(reported).filter(([name, value]) => Reflect.get(before, name) !== value);
  const isSameErrors = serializeErrorKinds(before.errors) === serializeErrorKinds(errors);
  return { ...Object.fromEntries(changed), ...(!isSameErrors && { errorCount: errors.length }) };
}

/** Whether a report is written immediately, in a transaction of its own. */
export function isAppliedAtOnce(before: Robot, report: RobotReport): boolean {
  // It starts a new sequence.
  if (!isLater(report, before.stateSeq)) return true;
  if (before.currentMissionId !== null && getReportedStatus(report) === "idle") return true;
  return Object.keys(getStateChange(before, report)).length > 0;
}

/** Returns the status by a report. A robot that reports is not silent. */
export function getReportedStatus(report: RobotReport): Robot["status"] {
  return robotStatus({ ...report, isSilent: false });
}

function serializeErrorKinds(errors: unknown): string {
  // The column contains errors that were parsed when they were reported.
  const kept = errors as RobotReport["errors"];
  return JSON.stringify(kept.map(({ type, level }) => [type, level]));
}

/** The fields that determine a robot's status. */
export type StatusSource = Pick<
  RobotReport,
  "charging" | "driving" | "paused" | "executing" | "emergencyStop" | "fieldViolation"
> & {
  errors: readonly Pick<RobotReport["errors"][number], "level">[];
  /** Whether it was not seen for {@link LIMITS.robotSilenceSeconds}. */
  isSilent: boolean;
};

/** With these errors a robot stops. @see VDA 5050 3.0.0, 6.6.5.1. */
const STOPPING = new Set(["critical", "fatal"]);

/** Returns a robot's status: the first that applies. */
export function robotStatus(source: StatusSource): RobotStatus {
  if (source.isSilent) return "offline";
  if (isStopped(source)) return "error";
  if (source.charging) return "charging";
  if (source.paused) return "paused";
  return source.driving || source.executing ? "executing" : "idle";
}

function isStopped({ errors, emergencyStop, fieldViolation }: StatusSource): boolean {
  return emergencyStop !== "none" || fieldViolation || errors.some(({ level }) => STOPPING.has(level));
}
