import { setTimeout as pause } from "node:timers/promises";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type RobotTelemetry, TELEMETRY_NOW } from "./robot-telemetry.ts";
import { watchTelemetry } from "./telemetry-watch.ts";

const PACE_MS = 1000;
/** Robots per frame: few, so that rendering blocks others only briefly. */
const FRAME = 50;

/**
 * Streams the state of the workspace's robots, or of those with the given ids: first the current state,
 * then changes, at most once a second. Nothing is queued for a slow reader or replayed: it gets the latest
 * state of each robot.
 *
 * @param ended ends the stream immediately.
 * @returns at most 50 robots at a time.
 * @throws {DomainError} insufficient_scope without `robots:read`; validation_failed for more than 500 ids.
 */
export function streamRobotTelemetry(
  ctx: Ctx,
  robotIds: readonly string[] | null,
  ended: AbortSignal,
): AsyncGenerator<RobotTelemetry[], void> {
  requireScope(ctx, "robots:read");
  if (robotIds !== null && robotIds.length > LIMITS.telemetryRobots) {
    throw createFieldError("robotIds", `must have at most ${LIMITS.telemetryRobots} entries`);
  }
  return stream(ctx, robotIds, ended);
}

async function* stream(
  ctx: Ctx,
  robotIds: readonly string[] | null,
  ended: AbortSignal,
): AsyncGenerator<RobotTelemetry[], void> {
  const newest = collectNewest(robotIds, ended);
  const leave = watchTelemetry(ctx, newest.add);
  try {
    const standing = await ctx.read<RobotTelemetry>(TELEMETRY_NOW, [ctx.workspaceId, robotIds]);
    standing.forEach(newest.add);
    // Even if there are no robots: the first frame shows that the stream is open.
    if (standing.length === 0) yield [];
    while (!ended.aborted) {
      for (const robots of toChunks(newest.take())) yield robots;
      await waitForPace(ended);
      await newest.any();
    }
  } finally {
    leave();
  }
}

/** Collects the latest state of each robot that was not read yet. */
function collectNewest(robotIds: readonly string[] | null, ended: AbortSignal) {
  const wanted = robotIds === null ? null : new Set(robotIds);
  const seen = new Map<string, string>();
  let newest = new Map<string, RobotTelemetry>();
  let wake: (() => void) | null = null;
  ended.addEventListener("abort", () => wake?.(), { once: true });
  return {
    add: (robot: RobotTelemetry): void => {
      const place = `${robot.stateSeq} ${robot.generation}`;
      if (wanted?.has(robot.id) === false || seen.get(robot.id) === place) return;
      seen.set(robot.id, place);
      newest.set(robot.id, robot);
      wake?.();
    },
    take: (): RobotTelemetry[] => {
      const taken = [...newest.values()];
      newest = new Map();
      return taken;
    },
    /** Waits until there is something to read, or the stream has ended. */
    any: (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve;
        if (newest.size > 0 || ended.aborted) resolve();
      }),
  };
}

async function waitForPace(signal: AbortSignal): Promise<void> {
  await pause(PACE_MS, null, { signal }).catch(() => {});
}

function toChunks(robots: readonly RobotTelemetry[]): RobotTelemetry[][] {
  return Array.from({ length: Math.ceil(robots.length / FRAME) }, (_, index) =>
    robots.slice(index * FRAME, (index + 1) * FRAME),
  );
}
