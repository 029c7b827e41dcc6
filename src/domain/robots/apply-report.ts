import { toColumnName } from "../../db/columns.ts";
import type { Prisma, Robot } from "../../db/generated/client.ts";
import { NO_JSON } from "../../db/no-json.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { followRobot } from "../missions/follow-robot.ts";
import { lockRobot } from "./lock-robot.ts";
import { type StateChange, getStateChange, getReportedStatus } from "./report-change.ts";
import type { RobotReport } from "./robot-report.ts";
import { INSERT_ROBOT_SAMPLE } from "./robot-sample.ts";
import { isNewer } from "./state-sequence.ts";

/**
 * Writes a report and its consequences: the event for changes, and the mission's moves.
 *
 * @returns false if an equal or newer report was written meanwhile.
 * @throws {DomainError} not_found if the robot does not exist.
 */
export async function applyReport(ctx: Ctx, robotId: string, report: RobotReport): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { robot: before, now } = await lockRobot(tx, robotId);
    if (!isNewer(report, before, now)) return false;
    const change = getStateChange(before, report);
    const isChanged = Object.keys(change).length > 0;
    const after = await tx.db.robot.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: robotId } },
      data: {
        ...toColumns(before, report),
        stateAt: now,
        ...(isChanged && { generation: before.generation + 1, updatedAt: now }),
      },
    });
    await tx.run(INSERT_ROBOT_SAMPLE, [ctx.workspaceId, robotId]);
    const appended = mergeAppends(
      isChanged ? buildStateChange(after, change) : EMPTY,
      await follow(tx, before, after),
    );
    if (Object.values(appended).flat().length > 0) append(tx, appended);
    return true;
  });
}

function toColumns(before: Robot, report: RobotReport): Prisma.RobotUncheckedUpdateInput {
  const { stateSeq, operatingMode, charging, driving, paused, emergencyStop, fieldViolation, made } = report;
  return {
    stateSeq,
    operatingMode,
    charging,
    driving,
    paused,
    emergencyStop,
    fieldViolation,
    status: getReportedStatus(report),
    batteryPercent: report.batteryPercent ?? null,
    position: report.position ?? NO_JSON,
    velocity: report.velocity ?? NO_JSON,
    errors: report.errors,
    // JSON objects whose size was checked.
    loads: report.loads as object[],
    manufacturer: before.manufacturer ?? made?.manufacturer ?? null,
    serialNumber: before.serialNumber ?? made?.serialNumber ?? null,
  };
}

const EMPTY: AppendContent = { events: [] };

async function follow(tx: Transaction, before: Robot, after: Robot): Promise<AppendContent> {
  return after.currentMissionId === null ? EMPTY : followRobot(tx, { robotId: after.id, before, after });
}

function buildStateChange({ id, generation }: Robot, change: StateChange): AppendContent {
  const changedColumns = Object.entries(change).map(
    ([field, value]) => [toColumnName(field), value] as const,
  );
  return {
    events: [
      {
        type: "robot.state_changed",
        subjectType: "robot",
        subjectId: id,
        agentId: id,
        data: { ...Object.fromEntries(changedColumns), generation },
      },
    ],
    totals: [{ collection: "robots", from: null, to: null }],
  };
}
