import type { Ctx } from "../../../domain/context.ts";
import { createMission } from "../../../domain/missions/create-mission.ts";
import { errandOf } from "../stories/errands.ts";

/** A new errand is sent out so often, on average, and never while so many wait. */
const EVERY_BEATS = 6;
const WAITING = 3;

const LATEST_MS = 30 * 60_000;

/** Now and then sends a robot out on a new errand: whichever of its fleet is free. */
export async function sendErrand(ctx: Ctx, at: Date): Promise<void> {
  if (Math.floor(at.getTime() / 10_000) % EVERY_BEATS !== 0) return;
  if ((await ctx.db.mission.count({ where: { status: "pending" } })) >= WAITING) return;
  const { title, kind, fleet, seconds, steps } = errandOf(`errand at ${at.toISOString()}`, null);
  await createMission(ctx, {
    title,
    kind,
    selector: { fleet },
    minBatteryPercent: 20,
    estimatedDurationSeconds: Math.round(seconds),
    deadlineAt: new Date(at.getTime() + LATEST_MS),
    steps: steps.map(({ key, type, station, action }) => ({
      key,
      type,
      params: { station, ...(action !== undefined && { action }) },
    })),
  });
}
