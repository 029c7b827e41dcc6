import type { Robot, RobotStatus } from "../../db/generated/client.ts";
import type { RobotReport } from "./robot-report.ts";
import { isLater } from "./state-sequence.ts";

/** What of a robot's row its event names. */
export type StateChange = Partial<
  Pick<Robot, "status" | "operatingMode" | "emergencyStop" | "fieldViolation"> & { errorCount: number }
>;

/** What a report changes of what everybody is told at once; an error's texts may differ from report to report. */
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

/** Whether a report is written in a transaction of its own. */
export function isAppliedAtOnce(before: Robot, report: RobotReport): boolean {
  // It begins a sequence anew.
  if (!isLater(report, before.stateSeq)) return true;
  if (before.currentMissionId !== null && getReportedStatus(report) === "idle") return true;
  return Object.keys(getStateChange(before, report)).length > 0;
}

/** The status of who reports, and so is not silent. */
export function getReportedStatus(report: RobotReport): Robot["status"] {
  return robotStatus({ ...report, isSilent: false });
}

function serializeErrorKinds(errors: unknown): string {
  // The column holds what was held to its shape when it was reported.
  const kept = errors as RobotReport["errors"];
  return JSON.stringify(kept.map(({ type, level }) => [type, level]));
}

/** What a robot's status follows from. */
export type StatusSource = Pick<
  RobotReport,
  "charging" | "driving" | "paused" | "executing" | "emergencyStop" | "fieldViolation"
> & {
  errors: readonly Pick<RobotReport["errors"][number], "level">[];
  /** Whether nothing was heard of it for {@link LIMITS.robotSilenceSeconds}. */
  isSilent: boolean;
};

/** With these a robot does not go on. @see VDA 5050 3.0.0, 6.6.5.1. */
const STOPPING = new Set(["critical", "fatal"]);

/** What a robot does, in the order in which one thing hides the next. */
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
