import type { MissionStep } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";

/** Reads the steps of missions that the caller has already read, in order. */
export async function readMissionSteps(
  ctx: Ctx,
  missionIds: readonly string[],
): Promise<ReadonlyMap<string, MissionStep[]>> {
  const byId = new Map<string, MissionStep[]>(missionIds.map((id) => [id, []]));
  const steps = await ctx.db.missionStep.findMany({
    where: { missionId: { in: [...missionIds] } },
    orderBy: [{ missionId: "asc" }, { seq: "asc" }],
  });
  for (const step of steps) byId.get(step.missionId)?.push(step);
  return byId;
}
