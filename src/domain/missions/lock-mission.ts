import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { Mission, MissionStep } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";

/** A locked mission whose robot is locked too, its steps in order, and the time. */
export type LockedMission = { mission: Mission; steps: MissionStep[]; now: Date };

const MISSION_ROBOT = "SELECT robot_id FROM mission WHERE workspace_id = $1::uuid AND id = $2::uuid";

const LOCK_ROBOT = sql<{ id: string }>`
SELECT id FROM robot WHERE workspace_id = $1::uuid AND id = (${MISSION_ROBOT}) FOR NO KEY UPDATE`;

const LOCK = sql<Mission & { $now: Date }>`
SELECT ${selectList("m", TABLES.mission)}, date_trunc('milliseconds', ${NOW}) AS "$now"
FROM mission m WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;

const MOVED = Symbol("the mission was assigned to another robot while its own was being locked");

/** What a transaction does with a locked mission. `held` is what it locked before. */
type MissionWork<Held, Result> = (tx: Transaction, locked: LockedMission, held: Held) => Promise<Result>;

/**
 * Runs a transaction on one mission, locking in the order used everywhere: workspace, robot, mission,
 * agent, command, the workspace's head. A robot's report locks its robot before its mission. Sweeps skip
 * locked rows, so they never wait.
 *
 * @throws {DomainError} not_found.
 */
export async function withMission<Result>(
  ctx: Ctx,
  id: string,
  work: MissionWork<null, Result>,
): Promise<Result> {
  return withMissionAfter(ctx, { id, hold: () => Promise.resolve(null) }, work);
}

/** {@link withMission}, with what `hold` locks before the mission's robot. */
export async function withMissionAfter<Held, Result>(
  ctx: Ctx,
  { id, hold }: { id: string; hold: (tx: Transaction) => Promise<Held> },
  work: MissionWork<Held, Result>,
): Promise<Result> {
  for (;;) {
    const result = await ctx.transaction(async (tx) => {
      const held = await hold(tx);
      const robots = await tx.run(LOCK_ROBOT, [ctx.workspaceId, id]);
      const locked = await lockMission(tx, id);
      const { robotId } = locked.mission;
      const isRobotLocked = robotId === null || robots.some((robot) => robot.id === robotId);
      return isRobotLocked ? work(tx, locked, held) : MOVED;
    });
    if (result !== MOVED) return result;
  }
}

/**
 * Locks a mission's row until the transaction ends. The caller has locked its robot.
 *
 * @throws {DomainError} not_found.
 */
export async function lockMission({ run, db, ctx }: Transaction, id: string): Promise<LockedMission> {
  const [row] = await run(LOCK, [ctx.workspaceId, id]);
  if (row === undefined) throw createNotFoundError("mission");
  const { $now: now, ...mission } = row;
  const steps = await db.missionStep.findMany({ where: { missionId: id }, orderBy: { seq: "asc" } });
  return { mission, steps, now };
}

/**
 * Checks a mission's generation.
 *
 * @throws {DomainError} precondition_failed if it is none of the given ones.
 */
export function requireMissionGeneration(
  { generation }: { generation: number },
  known: readonly number[] | null | undefined,
): void {
  if (known === null || known === undefined || known.includes(generation)) return;
  throw new DomainError(
    "precondition_failed",
    `The mission has changed: its generation is ${generation}. Read it again.`,
  );
}
