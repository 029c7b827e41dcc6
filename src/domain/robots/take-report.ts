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

/** What a robot is told when it has reported. */
export type ReportAnswer = {
  /** False for a report that is not newer than what is known. */
  applied: boolean;
  /** What the robot may do: `stopped` for all under an emergency stop. */
  controlState: ControlState;
};

/**
 * Takes a report, which was held to its shape. This is how reports become rows:
 *
 * - What is not newer than the row, or than what this node holds, is ignored. A robot that counts from anew says
 *   `restarted`; after 45 s in which no report of it counted, any does.
 * - What changes the status, the operating mode, the kinds of errors, the emergency stop or the field violation is
 *   written at once, with `robot.state_changed`; so is, without that event, every report of idleness of a robot
 *   that has a mission, for the mission to follow.
 * - Everything else (pose, battery, loads) is held in this node's memory, the newest of each robot, and written
 *   once a second in one statement for all: a robot costs a row version a second however often it reports, and
 *   a node that is killed loses a second of telemetry. What another node has written meanwhile is never
 *   overwritten by something older.
 *
 * None of it is an audit row, and telemetry is no event.
 *
 * @throws {DomainError} not_a_robot.
 */
export async function takeReport(ctx: Ctx, robotId: string, report: RobotReport): Promise<ReportAnswer> {
  const [found] = await ctx.read(OWN, [ctx.workspaceId, robotId]);
  // Of an agent that is no robot, the join leaves the robot's columns empty.
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
  ${buildControlStateSql("a", "w")}::text AS "controlState"
FROM agent a JOIN workspace w ON w.id = a.workspace_id
LEFT JOIN robot r ON r.workspace_id = a.workspace_id AND r.id = a.id
WHERE a.workspace_id = $1::uuid AND a.id = $2::uuid`;
