import type { Robot } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { hasScope } from "../kernel/has-scope.ts";

/** Reads robots by id. Returns none if the caller may not read robots. */
export async function readRobots(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, Robot>> {
  if (!hasScope(ctx, "robots:read")) return new Map();
  const robots = await ctx.db.robot.findMany({ where: { id: { in: [...ids] } } });
  return new Map(robots.map((robot) => [robot.id, robot]));
}
