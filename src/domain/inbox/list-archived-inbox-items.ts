import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireUser } from "../kernel/guard.ts";

/**
 * Lists the keys of what the caller archived, the newest first: at most 500.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function listArchivedInboxItems(ctx: Ctx): Promise<string[]> {
  const { id } = requireUser(ctx);
  const rows = await ctx.read(READ, [ctx.workspaceId, id]);
  return rows.map(({ key }) => key);
}

const READ = sql<{ key: string }>`
SELECT key FROM archived_inbox_item WHERE workspace_id = $1::uuid AND user_id = $2::uuid ORDER BY archived_at DESC, key`;
