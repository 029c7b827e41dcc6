import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { hasScope } from "../kernel/has-scope.ts";

/** Reads the titles of tasks. Returns none if the caller may not read tasks. */
export async function readTaskTitles(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!hasScope(ctx, "tasks:read")) return new Map();
  const tasks = await ctx.read(TITLES, [ctx.workspaceId, ids]);
  return new Map(tasks.map(({ id, title }) => [id, title]));
}

const TITLES = share(
  sql<{ id: string; title: string }>`
SELECT id, title FROM task WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`,
);
