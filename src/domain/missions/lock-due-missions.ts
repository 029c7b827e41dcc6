import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { Mission } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isStoppedSql } from "../stops/is-stopped.ts";
import type { DueMission } from "./find-due-move.ts";

/** Rows per transaction: few, so that nobody waits long. */
const BATCH = 100;

/** A mission, its robot or the one that it waits for, and its start command. */
const JOINED = `mission m JOIN workspace w ON w.id = m.workspace_id
LEFT JOIN agent_command c ON c.workspace_id = m.workspace_id AND c.id = m.start_command_id
LEFT JOIN robot r ON r.workspace_id = m.workspace_id AND r.id = COALESCE(m.robot_id, m.requested_robot_id)
LEFT JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.id`;

/** SQL condition that includes everything that findDueMove() may find due at the time `at`. */
function isDue(at: string): string {
  return `m.status IN ('pending', 'assigned', 'running', 'paused') AND (
    m.deadline_at <= ${at}
    OR ${hasWaitedTooLong(at)}
    OR m.cancel_requested_at <= ${at} - interval '${LIMITS.missionCancelSeconds} seconds'
    OR a.archived_at IS NOT NULL
    OR m.status <> 'pending' AND a.control_state = 'stopped'
    OR m.status IN ('running', 'paused') AND r.status = 'offline'
      AND GREATEST(r.state_at, a.last_seen_at, m.updated_at) <= ${at} - interval '${LIMITS.missionLostSeconds} seconds'
    OR m.status = 'assigned' AND (
      ${isStoppedSql("a", "w.id")} OR c.id IS NULL OR r.status = 'offline'
      OR c.status IN ('rejected', 'expired', 'timed_out', 'failed', 'canceled')
      OR c.acknowledged_at <= ${at} - interval '${LIMITS.missionFirstProgressSeconds} seconds'))`;
}

/** SQL condition: pending for the whole retention period of missions. */
function hasWaitedTooLong(at: string): string {
  return `m.status = 'pending' AND m.created_at <= ${at} - make_interval(days => w.mission_retention_days)`;
}

/** The workspaces that have missions that may be due. */
export const MISSIONS_DUE = sql<{ id: string }>`
SELECT DISTINCT m.workspace_id AS id FROM ${JOINED} WHERE ${isDue(NOW)}`;

const LOCK_MISSIONS = sql<DueRow>`
WITH at AS MATERIALIZED (SELECT date_trunc('milliseconds', ${NOW}) AS now)
SELECT ${selectList("m", TABLES.mission)}, at.now AS "$now", ${isStoppedSql("a", "w.id")} AS "$isStopped",
  ${hasWaitedTooLong("at.now")} AS "$hasWaitedTooLong",
  COALESCE(m.robot_id, m.requested_robot_id) AS "$robotId",
  c.status AS "$start", c.acknowledged_at AS "$acknowledgedAt"
FROM at, ${JOINED}
WHERE m.workspace_id = $1::uuid AND ${isDue("at.now")}
ORDER BY m.id LIMIT ${BATCH} FOR NO KEY UPDATE OF m SKIP LOCKED`;

const LOCK_ROBOTS = sql<NonNullable<DueMission["robot"]> & { id: string }>`
SELECT r.id, r.status, r.state_at AS "stateAt", a.control_state AS "controlState", a.archived_at AS "archivedAt",
  a.last_seen_at AS "lastSeenAt"
FROM robot r JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.id
WHERE r.workspace_id = $1::uuid AND r.id = ANY($2::uuid[]) ORDER BY r.id FOR NO KEY UPDATE OF r SKIP LOCKED`;

type DueRow = Mission & {
  $now: Date;
  $isStopped: boolean;
  $hasWaitedTooLong: boolean;
  $robotId: string | null;
  $start: NonNullable<DueMission["start"]>["status"] | null;
  $acknowledgedAt: Date | null;
};

/**
 * Locks missions that may be due, at most 100, with their robots. Skips locked rows, so that it never waits
 * while holding locks.
 */
export async function lockDueMissions({ run, ctx }: Transaction): Promise<DueMission[]> {
  const rows = await run(LOCK_MISSIONS, [ctx.workspaceId]);
  const ids = rows.flatMap(({ $robotId }) => $robotId ?? []);
  if (rows.length === 0) return [];
  const robots = await run(LOCK_ROBOTS, [ctx.workspaceId, ids]);
  const byId = new Map(robots.map((robot) => [robot.id, robot]));
  return rows.flatMap(
    ({ $now: now, $isStopped, $hasWaitedTooLong, $robotId, $start, $acknowledgedAt, ...mission }) => {
      const waits = { isStopped: $isStopped, hasWaitedTooLong: $hasWaitedTooLong };
      const robot = $robotId === null ? null : byId.get($robotId);
      const start = $start === null ? null : { status: $start, acknowledgedAt: $acknowledgedAt };
      return robot === undefined ? [] : [{ mission, robot, start, ...waits, now }];
    },
  );
}
