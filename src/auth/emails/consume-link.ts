import type { Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { type LockedUser, lockUser } from "../../domain/users/lock-user.ts";
import type { Link } from "./find-link.ts";
import { validLinkCondition } from "./link.ts";

/** Whose link was used up, locked, and where the link was sent. */
export type ConsumedLink = { user: LockedUser; sentTo: string };

/**
 * Uses up a link that was found alive, unless it has died since: of any number of callers at once, with
 * one link or with several of one person, one gets the person.
 *
 * @returns null where the link is dead.
 */
export async function consumeLink(tx: Transaction, link: Link): Promise<ConsumedLink | null> {
  // The person first: else two links of one person would wait for each other.
  const user = await tryLockUser(tx, link.userId);
  if (user === null) return null;
  const [used] = await tx.db.$queryRawUnsafe<{ sentTo: string }[]>(
    `DELETE FROM users_tokens t USING "user" u, workspace w
     WHERE t.workspace_id = $1::uuid AND t.context = $2::user_token_context AND t.token_digest = $3
       AND u.workspace_id = t.workspace_id AND u.id = t.user_id AND w.id = t.workspace_id AND ${validLinkCondition("$4")}
     RETURNING t.sent_to AS "sentTo"`,
    ...[tx.ctx.workspaceId, link.context, link.digest, tx.ctx.now],
  );
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
