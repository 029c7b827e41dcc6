import type { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireUser } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockUser } from "../users/lock-user.ts";
import { appendInboxChange } from "./append-inbox-change.ts";
import { inboxItem } from "./inbox-key.ts";

/**
 * Archives an item of the caller's inbox, on all of their devices. Nothing changes for others. The oldest of more than 500
 * is forgotten.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed.
 */
export async function archiveInboxItem(ctx: Ctx, input: z.input<typeof inboxItem>): Promise<void> {
  const { id } = requireUser(ctx);
  const { key } = parseInput(inboxItem, input);
  await ctx.transaction(async (tx) => {
    await lockUser(tx, id);
    const whose = [ctx.workspaceId, id];
    const added = await tx.run(INSERT, [...whose, key, await tx.now()]);
    if (added.length === 0) return;
    await tx.run(DELETE_OLDEST, [...whose, LIMITS.archivedInboxItems]);
    appendInboxChange(tx, "archived", { userId: id, key });
  });
}

const INSERT = sql<{ key: string }>`
INSERT INTO archived_inbox_item (workspace_id, user_id, key, archived_at) VALUES ($1::uuid, $2::uuid, $3, $4::timestamptz)
ON CONFLICT DO NOTHING RETURNING key`;

const DELETE_OLDEST = sql`
DELETE FROM archived_inbox_item WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND key IN (
  SELECT key FROM archived_inbox_item WHERE workspace_id = $1::uuid AND user_id = $2::uuid
  ORDER BY archived_at DESC, key OFFSET $3)`;
