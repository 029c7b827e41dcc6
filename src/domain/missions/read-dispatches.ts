import type { Ctx } from "../kernel/context.ts";

/** How a mission comes to its robot. */
export type Dispatch = {
  requestedRobotId: string | null;
  attempts: number;
  assignedAt: Date | null;
  startCommandId: string | null;
};

/** Reads how missions that the caller was shown came to their robots: what no list of missions tells. */
export async function readDispatches(
  ctx: Ctx,
  missionIds: readonly string[],
): Promise<ReadonlyMap<string, Dispatch>> {
  const select = {
    id: true,
    requestedRobotId: true,
    dispatchAttempts: true,
    assignedAt: true,
    startCommandId: true,
  } as const;
  const missions = await ctx.db.mission.findMany({ where: { id: { in: [...missionIds] } }, select });
  return new Map(
    missions.map(({ id, dispatchAttempts: attempts, ...dispatch }) => [id, { ...dispatch, attempts }]),
  );
}
