import { sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { Mission, OperatingMode, Robot } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { failMission, missionError, unassignMission } from "./mission-moves.ts";
import { type MissionMove, moveMissions } from "./move-missions.ts";
import { recallStarts } from "./recall-starts.ts";

/** The modes in which the service does not control a robot: it loses its mission. */
const TAKEN_OVER: ReadonlySet<OperatingMode> = new Set(["manual", "service", "teach_in", "startup"]);

/** After so many idle reports in a row during a mission, the robot has lost the mission. */
const IDLE_REPORTS = 2;

const LOCK = sql<Mission & { $waits: boolean }>`
SELECT ${selectList("m", TABLES.mission)},
  EXISTS (SELECT 1 FROM mission_step s
          WHERE s.workspace_id = m.workspace_id AND s.mission_id = m.id AND s.status = 'retriable') AS "$waits"
FROM mission m WHERE m.workspace_id = $1::uuid AND m.id = $2::uuid AND m.status IN ('assigned', 'running', 'paused')
FOR NO KEY UPDATE`;

/**
 * Applies a robot's report to its current mission: a robot in another mode loses it, and so does one that
 * reports idle twice. The caller has locked and written the robot's row; the mission is locked here.
 *
 * @returns what the transaction must append.
 */
export async function followRobot(
  tx: Transaction,
  { robotId, after }: { robotId: string; before: Robot; after: Robot },
): Promise<Required<Pick<AppendContent, "events" | "totals" | "audit">>> {
  const nothing = { events: [], totals: [], audit: [] };
  if (after.currentMissionId === null) return nothing;
  const [row] = await tx.run(LOCK, [tx.ctx.workspaceId, after.currentMissionId]);
  if (row === undefined || row.robotId !== robotId) return nothing;
  const { $waits: waits, ...mission } = row;
  if (TAKEN_OVER.has(after.operatingMode)) return takeOver(tx, mission, after.operatingMode);
  if (mission.status !== "running") return nothing;
  const idleReports = after.status === "idle" && !waits ? mission.idleReports + 1 : 0;
  if (idleReports >= IDLE_REPORTS) return failLostMission(tx, mission);
  if (idleReports !== mission.idleReports) await countIdle(tx, mission.id, idleReports);
  return nothing;
}

async function takeOver(tx: Transaction, mission: Mission, mode: OperatingMode) {
  const now = await tx.now();
  const error = missionError("manual_takeover", "urgent", `The robot changed to the mode ${mode}.`);
  if (mission.status !== "assigned") return move(tx, now, failMission(mission, now, error));
  const recalled = await recallStarts(tx, [mission]);
  const moved = await move(tx, now, unassignMission(mission, error.type));
  return mergeAppends(moved, recalled.appended);
}

async function failLostMission(tx: Transaction, mission: Mission) {
  const now = await tx.now();
  const detail = `The robot reported idle ${IDLE_REPORTS} times in a row while the mission was running.`;
  return move(tx, now, failMission(mission, now, missionError("robot_lost_mission", "urgent", detail)));
}

async function move(tx: Transaction, now: Date, one: MissionMove) {
  const { appended } = await moveMissions(tx, now, [one]);
  return appended;
}

/** Without an event: only the end of the mission is visible. */
async function countIdle({ db, ctx }: Transaction, id: string, idleReports: number): Promise<void> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  await db.mission.update({ where, data: { idleReports } });
}
