import type { RobotSample } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";

const HOUR_MS = 3_600_000;

/** The range of samples. */
export type SampleRange = { from?: Date | null | undefined; to?: Date | null | undefined };

/**
 * Lists a robot's samples, oldest first: one for each half minute with a report, kept for 7 days. `to`
 * defaults to now, and `from` to an hour before it.
 *
 * @throws {DomainError} insufficient_scope without `robots:read`; validation_failed for a range that is
 *   negative or longer than 24 hours.
 */
export async function listRobotSamples(
  ctx: Ctx,
  robotId: string,
  range: SampleRange,
): Promise<RobotSample[]> {
  requireScope(ctx, "robots:read");
  const to = range.to ?? ctx.services.live.now();
  const from = range.from ?? new Date(to.getTime() - HOUR_MS);
  if (from > to) throw createFieldError("from", "must not be after to");
  if (to.getTime() - from.getTime() > LIMITS.robotSampleHours * HOUR_MS) {
    throw createFieldError("from", `must be at most ${LIMITS.robotSampleHours} hours before to`);
  }
  return ctx.db.robotSample.findMany({
    where: { robotId, at: { gte: from, lte: to } },
    orderBy: { at: "asc" },
  });
}
