import type { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireUser } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { appendInboxChange } from "./append-inbox-change.ts";
import { inboxItem } from "./inbox-key.ts";

/**
 * Brings an item back to the caller's inbox.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed.
 */
export async function unarchiveInboxItem(ctx: Ctx, input: z.input<typeof inboxItem>): Promise<void> {
  const { id } = requireUser(ctx);
  const { key } = parseInput(inboxItem, input);
  await ctx.transaction(async (tx) => {
    const removed = await tx.run(DELETE, [ctx.workspaceId, id, key]);
    if (removed.length > 0) appendInboxChange(tx, "unarchived", { userId: id, key });
  });
}

const DELETE = sql<{ key: string }>`
DELETE FROM archived_inbox_item WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND key = $3 RETURNING key`;
