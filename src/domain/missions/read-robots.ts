import { TABLES } from "../../db/columns.ts";
import type { Robot } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { hasScope } from "../kernel/has-scope.ts";
import { readRelated } from "../kernel/read-related.ts";

/**
 * Reads robots by id. Returns none if the caller may not read robots.
 *
 * @throws {DomainError} invalid_request if they are too large.
 */
export async function readRobots(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, Robot>> {
  if (!hasScope(ctx, "robots:read")) return new Map();
  const robots = await readRelated<Robot>(ctx, {
    table: TABLES.robot,
    query: "SELECT * FROM robot WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])",
    order: "q.id",
    ids,
    what: "robots",
  });
  return new Map(robots.map((robot) => [robot.id, robot]));
}
