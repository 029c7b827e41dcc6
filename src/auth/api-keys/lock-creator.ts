import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";

/**
 * Locks the person who creates a key, before any key: a concurrent deactivation waits for the new key, which
 * it may have to revoke, or prevents it.
 *
 * @throws {DomainError} invalid_token if the person was deactivated.
 */
export async function lockCreator({ run, ctx }: Transaction): Promise<void> {
  if (ctx.actor.type !== "user") return;
  const [creator] = await run(LOCK, [ctx.workspaceId, ctx.actor.id]);
  if (creator?.isActive === false)
    throw new DomainError("invalid_token", "The credential is no longer valid.");
}

const LOCK = sql<{ isActive: boolean }>`
SELECT suspended_at IS NULL AND deleted_at IS NULL AS "isActive"
FROM "user" WHERE workspace_id = $1::uuid AND id = $2::uuid FOR SHARE`;
