import { STOP_TABLE, selectList } from "../../db/columns.ts";
import type { Stop as StopRow } from "../../db/generated/client.ts";
import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { type Stop, toStop } from "./stop.ts";
import { isOfAll } from "./stop-scope.ts";

/**
 * Lists the stops that stand, oldest first: at most some hundred. Concurrent callers share the read.
 *
 * @throws {DomainError} insufficient_scope without `agents:read`.
 */
export async function listStops(ctx: Ctx): Promise<Stop[]> {
  requireScope(ctx, "agents:read");
  return readStops(ctx);
}

/** Reads the oldest stop that stands for all agents. Null if there is none. */
export async function readStopOfAll(ctx: Ctx): Promise<Stop | null> {
  const stops = await readStops(ctx);
  return stops.find(isOfAll) ?? null;
}

async function readStops(ctx: Ctx): Promise<Stop[]> {
  return (await ctx.read(STANDING, [ctx.workspaceId])).map(toStop);
}

const STANDING = share(sql<StopRow>`
SELECT ${selectList("s", STOP_TABLE)} FROM stop s
WHERE s.workspace_id = $1::uuid AND s.released_at IS NULL ORDER BY s.at, s.id`);
