import type { RobotStatus } from "../../db/generated/client.ts";
import type { RobotReport } from "./robot-report.ts";

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
