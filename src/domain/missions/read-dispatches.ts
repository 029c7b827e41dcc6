import type { Ctx } from "../kernel/context.ts";

/** How a mission is assigned to a robot. */
export type Dispatch = {
  requestedRobotId: string | null;
  allowedRobotIds: string[];
  attempts: number;
  assignedAt: Date | null;
  startCommandId: string | null;
};

/** Reads the dispatches of missions that the caller has already read. Lists leave them out. */
export async function readDispatches(
  ctx: Ctx,
  missionIds: readonly string[],
): Promise<ReadonlyMap<string, Dispatch>> {
  const select = {
    id: true,
    requestedRobotId: true,
    allowedRobotIds: true,
    dispatchAttempts: true,
    assignedAt: true,
    startCommandId: true,
  } as const;
  const missions = await ctx.db.mission.findMany({ where: { id: { in: [...missionIds] } }, select });
  return new Map(
    missions.map(({ id, dispatchAttempts: attempts, ...dispatch }) => [id, { ...dispatch, attempts }]),
  );
}
