import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { ControlState, Robot } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { buildControlStateSql } from "../stops/is-stopped.ts";
import { applyReport } from "./apply-report.ts";
import { forgetHeld, holdReport, withHeld } from "./held-reports.ts";
import { isAppliedAtOnce } from "./report-change.ts";
import type { RobotReport } from "./robot-report.ts";
import { isNewer } from "./state-sequence.ts";

/** The answer to a robot's report. */
export type ReportAnswer = {
  /** False if a newer report is already known. */
  applied: boolean;
  /** What the robot may do: `stopped` during an emergency stop. */
  controlState: ControlState;
};

/**
 * Handles a parsed report. This is how reports become rows:
 *
 * - A report that is not newer than the row, or than this node's held report, is ignored. A robot that
 *   restarts its sequence sends `restarted`; after 45 s without an accepted report, any report is accepted.
 * - A change of the status, the operating mode, the kinds of errors, the emergency stop or the field
 *   violation is written immediately, with `robot.state_changed`. So is, without that event, every idle
 *   report of a robot with a mission, for the mission's rules.
 * - Everything else (pose, battery, loads) is held in this node's memory, the latest report of each robot,
 *   and written once a second in one statement for each workspace: however often a robot reports, it costs
 *   one row version per second, and a killed node loses a second of telemetry. Newer data from another node
 *   is never overwritten.
 *
 * Reports add no audit events, and telemetry no events.
 *
 * @throws {DomainError} not_a_robot.
 */
export async function takeReport(ctx: Ctx, robotId: string, report: RobotReport): Promise<ReportAnswer> {
  const [found] = await ctx.read(OWN, [ctx.workspaceId, robotId]);
  // For an agent that is not a robot, the join leaves the robot's columns null.
  if (found === undefined || found.id === null) {
    throw new DomainError("not_a_robot", "Only an agent of kind robot can report its state.");
  }
  const { controlState, now, ...row } = found;
  const robot = withHeld(ctx, row);
  if (!isNewer(report, robot, now)) return { applied: false, controlState };
  if (isAppliedAtOnce(robot, report)) {
    forgetHeld(ctx, robotId);
    return { applied: await applyReport(ctx, robotId, report), controlState };
  }
  holdReport(ctx, robot, report);
  return { applied: true, controlState };
}

type Own = Robot & { controlState: ControlState; now: Date };

const OWN = sql<Own>`
SELECT ${selectList("r", TABLES.robot)}, ${NOW} AS now,
  ${buildControlStateSql("a")}::text AS "controlState"
FROM agent a
LEFT JOIN robot r ON r.workspace_id = a.workspace_id AND r.id = a.id
WHERE a.workspace_id = $1::uuid AND a.id = $2::uuid`;
