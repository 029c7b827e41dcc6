import { sql } from "../../db/sql.ts";
import type { Mission } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent, EventInput } from "../kernel/events.ts";
import { hasRobot } from "./mission-states.ts";
import { setCurrentMissions } from "./set-current-missions.ts";

/** The columns of a mission that can change. `generation` and `updatedAt` change automatically. */
export type MissionChange = Partial<
  Pick<
    Mission,
    | "status"
    | "robotId"
    | "progress"
    | "dispatchAttempts"
    | "startCommandId"
    | "assignedAt"
    | "idleReports"
    | "cancelRequestedAt"
    | "error"
    | "startedAt"
    | "finishedAt"
  >
>;

export type MissionEventType =
  | "mission.assigned"
  | "mission.unassigned"
  | "mission.updated"
  | "mission.finished";

/** A change of a locked mission, with its event. */
export type MissionMove = {
  mission: Mission;
  change: MissionChange;
  event: MissionEventType;
  /** Additional data of the event. */
  eventData?: Record<string, unknown>;
  /** The audit event, if a person makes the change: such as `mission.canceled`, with the reason. */
  audit?: { action: string; changes?: Record<string, unknown> };
};

/** What a transaction that changes missions must append. */
export type MissionAppendContent = Required<Pick<AppendContent, "events" | "totals" | "audit">>;

/**
 * Changes locked missions, increments their generations and updates the current missions of their robots,
 * with a fixed number of statements.
 *
 * @returns the missions in the order of the moves, and what to append.
 */
export async function moveMissions(
  tx: Transaction,
  now: Date,
  moves: readonly MissionMove[],
): Promise<{ missions: Mission[]; appended: MissionAppendContent }> {
  if (moves.length === 0) return { missions: [], appended: { events: [], totals: [], audit: [] } };
  const missions = moves.map(({ mission, change }) => ({
    ...mission,
    ...change,
    generation: mission.generation + 1,
    updatedAt: now,
  }));
  await tx.run(WRITE, [tx.ctx.workspaceId, JSON.stringify(missions)]);
  const robots = await setCurrentMissions(tx, now, moves.flatMap(listRobotChanges));
  const isAudited = tx.ctx.actor.type === "user";
  return {
    missions,
    appended: {
      events: [...moves.map(toEvent), ...robots.events],
      totals: [
        ...moves.map(({ mission, change }) => ({
          collection: "missions" as const,
          from: mission.status,
          to: change.status ?? mission.status,
        })),
        ...robots.totals,
      ],
      audit: moves.flatMap(({ mission, audit }) =>
        isAudited && audit !== undefined ? [{ ...audit, targetType: "mission", targetId: mission.id }] : [],
      ),
    },
  };
}

const WRITE = sql`
UPDATE mission m SET
  status = c.status, robot_id = c."robotId", progress = c.progress, dispatch_attempts = c."dispatchAttempts",
  start_command_id = c."startCommandId", assigned_at = c."assignedAt", idle_reports = c."idleReports",
  cancel_requested_at = c."cancelRequestedAt", error = c.error, started_at = c."startedAt",
  finished_at = c."finishedAt", generation = c.generation, updated_at = c."updatedAt"
FROM jsonb_to_recordset($2::jsonb) AS c(
  id uuid, status mission_status, "robotId" uuid, progress double precision, "dispatchAttempts" int,
  "startCommandId" uuid, "assignedAt" timestamptz, "idleReports" smallint, "cancelRequestedAt" timestamptz,
  error jsonb, "startedAt" timestamptz, "finishedAt" timestamptz, generation int, "updatedAt" timestamptz)
WHERE m.workspace_id = $1::uuid AND m.id = c.id`;

/** Lists the robots whose current mission changes. */
function listRobotChanges({ mission, change }: MissionMove): { robotId: string; missionId: string | null }[] {
  const before = getRobotId(mission);
  const after = getRobotId({ ...mission, ...change });
  if (before === after) return [];
  return [
    ...(before === null ? [] : [{ robotId: before, missionId: null }]),
    ...(after === null ? [] : [{ robotId: after, missionId: mission.id }]),
  ];
}

function getRobotId({ status, robotId }: Pick<Mission, "status" | "robotId">): string | null {
  return hasRobot(status) ? robotId : null;
}

function toEvent({ mission, change, event, eventData }: MissionMove): EventInput {
  const moved = { ...mission, ...change };
  return missionEvent(
    event,
    { ...moved, generation: mission.generation + 1 },
    { from: mission.robotId, eventData },
  );
}

/** Builds a mission's event. It concerns the mission's robot, or the one that had it before. */
export function missionEvent(
  type: MissionEventType | "mission.created",
  mission: Mission,
  {
    from = null,
    eventData = {},
  }: { from?: string | null; eventData?: Record<string, unknown> | undefined } = {},
): EventInput {
  return {
    type,
    subjectType: "mission",
    subjectId: mission.id,
    agentId: mission.robotId ?? from,
    data: {
      generation: mission.generation,
      status: mission.status,
      kind: mission.kind,
      priority: mission.priority,
      robot_id: mission.robotId,
      progress: mission.progress,
      approval_id: mission.approvalId,
      ...eventData,
    },
  };
}
