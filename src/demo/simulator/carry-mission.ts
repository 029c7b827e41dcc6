import type { MissionStep } from "../../db/generated/client.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { reportMissionProgress } from "../../domain/missions/report-mission-progress.ts";

/** The duration of a step. */
const STEP_MS = 30_000;

/**
 * Advances a robot's mission: one step after the other, each 30 seconds long. Respects pauses and
 * cancellations.
 */
export async function carryMission(ctx: Ctx, missionId: string, at: Date): Promise<void> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: missionId } };
  const mission = await ctx.db.mission.findUnique({
    where,
    include: { steps: { orderBy: { seq: "asc" } } },
  });
  if (mission === null || mission.status === "paused") return;
  const report =
    mission.cancelRequestedAt === null
      ? { steps: listStepChanges(mission.steps, at) }
      : { status: "canceled" as const };
  if (report.steps?.length === 0) return;
  await reportMissionProgress(ctx, { id: missionId, ...report }).catch(ignoreDomainErrors);
}

/** Lists the changes of the steps: the one that has finished, and the next. */
function listStepChanges(steps: readonly MissionStep[], at: Date) {
  const current = steps.find(({ status }) => ["initializing", "running", "paused"].includes(status));
  if (current !== undefined && at.getTime() - (current.startedAt?.getTime() ?? 0) < STEP_MS) return [];
  const next = steps.find(({ status }) => status === "waiting" || status === "retriable");
  return [
    ...(current === undefined
      ? []
      : [{ key: current.key, status: "finished", result: { ok: true } } as const]),
    ...(next === undefined ? [] : [{ key: next.key, status: "running" } as const]),
  ];
}

/** The mission may have ended since it was read. */
function ignoreDomainErrors(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}
