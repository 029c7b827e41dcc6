import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { type LockedUser, lockUser } from "../../domain/users/lock-user.ts";
import type { Link } from "./find-link.ts";
import { IS_LINK_VALID } from "./link.ts";

/** The person whose link was used, locked, and the address that it was sent to. */
export type ConsumedLink = { user: LockedUser; sentTo: string };

/**
 * Uses up a link that was found valid, unless it has become invalid since. Of concurrent callers with links
 * of one person, only one succeeds.
 *
 * @returns null if the link is not valid any more.
 */
export async function consumeLink(tx: Transaction, link: Link): Promise<ConsumedLink | null> {
  // Lock the person first: otherwise two links of one person would deadlock.
  const user = await tryLockUser(tx, link.userId);
  if (user === null) return null;
  const [used] = await tx.run(DELETE, [tx.ctx.workspaceId, link.context, link.digest]);
  return used === undefined ? null : { user, sentTo: used.sentTo };
}

async function tryLockUser(tx: Transaction, userId: string): Promise<LockedUser | null> {
  try {
    return await lockUser(tx, userId);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}

const DELETE = sql<{ sentTo: string }>`
DELETE FROM users_tokens t USING "user" u, workspace w
WHERE t.workspace_id = $1::uuid AND t.context = $2::user_token_context AND t.token_digest = $3
  AND u.workspace_id = t.workspace_id AND u.id = t.user_id AND w.id = t.workspace_id AND ${IS_LINK_VALID}
RETURNING t.sent_to AS "sentTo"`;
