import { sql } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";

/** Names of a workspace that are compared. */
const NAMES = 50_000;

/**
 * Finds when spans last had such a name, so that a search needn't begin later: the end of that day. Null if that is not
 * known, because the workspace has too many names; "never" if no span has it.
 */
export async function findNameEnd(ctx: Ctx, name: string): Promise<Date | "never" | null> {
  const [row] = await ctx.read(NAME_END, [ctx.workspaceId, name]);
  if (row === undefined || row.names > NAMES) return null;
  return row.end ?? "never";
}

const NAME_END = sql<{ end: Date | null; names: number }>`
SELECT count(*)::int4 AS names,
  (max(n.last_day) FILTER (WHERE strpos(lower(n.name), lower($2::text)) > 0) + 1)::timestamp AT TIME ZONE 'UTC' AS "end"
FROM (SELECT name, last_day FROM span_name WHERE workspace_id = $1::uuid LIMIT ${NAMES + 1}) n`;
