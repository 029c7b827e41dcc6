import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { hasScope } from "../kernel/has-scope.ts";

/** Reads the titles of missions. Returns none if the caller may not read missions. */
export async function readMissionTitles(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!hasScope(ctx, "missions:read")) return new Map();
  const missions = await ctx.read(TITLES, [ctx.workspaceId, ids]);
  return new Map(missions.map(({ id, title }) => [id, title]));
}

const TITLES = share(
  sql<{ id: string; title: string }>`
SELECT id, title FROM mission WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`,
);
