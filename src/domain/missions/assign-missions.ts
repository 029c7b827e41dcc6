import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { Mission } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { LIMITS } from "../kernel/limits.ts";
import { LOCK_UNCHANGED_WORKSPACE, isStoppedSql } from "../stops/is-stopped.ts";
import { IS_FIT, IS_ELIGIBLE } from "./fit-robots.ts";
import { insertMissionCommands } from "./insert-mission-commands.ts";
import { toPlanArguments } from "./mission-plan.ts";
import { getStatusAfter } from "./mission-states.ts";
import { type MissionAppendContent, moveMissions } from "./move-missions.ts";

/**
 * Missions per transaction. As many robots are considered for each, so that none lacks one because of the
 * others.
 */
const BATCH = 50;

type Pair = { missionId: string; robotId: string };

/**
 * The next missions, most urgent first, each with its eligible robots, best first: those that the fewest
 * other missions can use, then those with the fullest battery.
 *
 * Locks the workspace until the transaction ends: an emergency stop waits for running assignments, and
 * later ones see it.
 */
const PAIRS = sql<Pair>`
WITH going AS MATERIALIZED (
  ${LOCK_UNCHANGED_WORKSPACE}
), fit AS MATERIALIZED (
  SELECT r.id, r.fleet, r.battery_percent, a.labels, (
    SELECT count(*) FROM mission o
    WHERE o.workspace_id = r.workspace_id AND o.requested_robot_id = r.id AND o.status = 'pending') AS awaited
  FROM going JOIN robot r ON r.workspace_id = going.id JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.id
  WHERE ${IS_FIT} AND NOT ${isStoppedSql("a")}
), next AS MATERIALIZED (
  SELECT m.* FROM mission m
  WHERE m.workspace_id = $1::uuid AND m.status = 'pending'
    AND (m.deadline_at IS NULL OR m.deadline_at > ${NOW})
    AND EXISTS (SELECT 1 FROM fit f WHERE ${IS_ELIGIBLE})
  ORDER BY m.priority DESC, m.created_at, m.id LIMIT $2::int FOR NO KEY UPDATE OF m SKIP LOCKED
)
SELECT m.id AS "missionId", f.id AS "robotId"
FROM next m CROSS JOIN LATERAL (
  SELECT f.* FROM fit f WHERE ${IS_ELIGIBLE} ORDER BY f.awaited, f.battery_percent DESC NULLS LAST, f.id LIMIT $2::int
) f
ORDER BY m.priority DESC, m.created_at, m.id, f.awaited, f.battery_percent DESC NULLS LAST, f.id`;

/** Locks those robots that are still fit, with their agents. */
const LOCK_ROBOTS = sql<{ id: string }>`
SELECT r.id FROM robot r JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.id
WHERE r.workspace_id = $1::uuid AND r.id = ANY($2::uuid[]) AND ${IS_FIT}
ORDER BY r.id FOR NO KEY UPDATE OF r, a SKIP LOCKED`;

const READ = sql<Mission & { $now: Date }>`
SELECT ${selectList("m", TABLES.mission)}, date_trunc('milliseconds', ${NOW}) AS "$now" FROM mission m WHERE m.workspace_id = $1::uuid AND m.id = ANY($2::uuid[])`;

/**
 * Assigns waiting missions to robots: higher priority first, then older. Skips locked rows and never waits.
 *
 * @param only a mission to assign if it is its turn; without it, as many as possible, at most 50.
 * @returns the assigned missions, and what the transaction must append.
 */
export async function assignMissions(
  tx: Transaction,
  only: string | null = null,
): Promise<{ missions: Mission[]; appended: MissionAppendContent }> {
  const { run, ctx } = tx;
  const limit = only === null ? BATCH : 1;
  const found = await run(PAIRS, [ctx.workspaceId, limit]);
  const pairs = await lockPairs(
    tx,
    matchPairs(found.filter(({ missionId }) => only === null || missionId === only)),
  );
  return pairs.length === 0
    ? { missions: [], appended: { events: [], totals: [], audit: [] } }
    : assign(tx, pairs);
}

/** Gives each mission the first of its robots that no earlier mission has taken. */
function matchPairs(pairs: readonly Pair[]): Pair[] {
  const missions = new Set<string>();
  const robots = new Set<string>();
  return pairs.filter(({ missionId, robotId }) => {
    if (missions.has(missionId) || robots.has(robotId)) return false;
    missions.add(missionId);
    robots.add(robotId);
    return true;
  });
}

async function lockPairs({ run, ctx }: Transaction, pairs: readonly Pair[]): Promise<Pair[]> {
  if (pairs.length === 0) return [];
  const ids = pairs.map(({ robotId }) => robotId);
  const locked = await run(LOCK_ROBOTS, [ctx.workspaceId, ids]);
  const free = new Set(locked.map(({ id }) => id));
  return pairs.filter(({ robotId }) => free.has(robotId));
}

async function assign(tx: Transaction, pairs: readonly Pair[]) {
  const { run, db, ctx } = tx;
  const ids = pairs.map(({ missionId }) => missionId);
  const missions = await run(READ, [ctx.workspaceId, ids]);
  const now = missions[0]?.$now ?? (await tx.now());
  const steps = await db.missionStep.findMany({ where: { missionId: { in: ids } }, orderBy: { seq: "asc" } });
  const robots = new Map(pairs.map(({ missionId, robotId }) => [missionId, robotId]));
  const given = missions.flatMap(({ $now: _now, ...mission }) => {
    const robotId = robots.get(mission.id);
    return robotId === undefined ? [] : [{ mission, robotId }];
  });
  const { commands, appended } = await insertMissionCommands(tx, {
    type: "mission.start",
    expiresInSeconds: LIMITS.missionStartSeconds,
    ackTimeoutSeconds: LIMITS.missionStartAckSeconds,
    orders: given.map(({ mission, robotId }) => ({
      robotId,
      missionId: mission.id,
      params: toPlanArguments({
        ...mission,
        steps: steps.filter(({ missionId }) => missionId === mission.id),
      }),
    })),
  });
  const moved = await moveMissions(
    tx,
    now,
    given.map(({ mission, robotId }) => ({
      mission,
      change: {
        status: getStatusAfter(mission.status, "assign"),
        robotId,
        startCommandId: commands.get(robotId)?.id ?? null,
        assignedAt: now,
        idleReports: 0,
      },
      event: "mission.assigned",
    })),
  );
  const { events, totals, audit } = mergeAppends(moved.appended, appended);
  return { missions: moved.missions, appended: { events, totals, audit } };
}
