import { setTimeout as pause } from "node:timers/promises";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type RobotTelemetry, TELEMETRY_NOW } from "./robot-telemetry.ts";
import { watchTelemetry } from "./telemetry-watch.ts";

const PACE_MS = 1000;
/** Robots of one frame: executing it holds up others only for a moment. */
const FRAME = 50;

/**
 * Streams the state of the workspace's robots, or of these: at first as they stand, then each that has changed, once
 * a second at most. Nothing is kept for who reads slowly, or replayed: he gets the newest of each robot when he
 * reads on.
 *
 * @param ended ends the stream, at once.
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
    // Also where there is none: the first frame tells that the stream is open.
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

/** The newest of each robot that is wanted and was not taken yet. */
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
    /** Waits until there is something to take, or it is ended. */
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
