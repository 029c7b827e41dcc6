import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { lockMembers } from "../users/lock-user.ts";
import type { Revocation } from "../kernel/revocation.ts";

/**
 * Locks the workspace's members.
 *
 * @returns the revocations that have the sockets of all sessions looked up again that began by a password alone: from
 *   now on those may do nothing but add a second factor.
 * @throws {DomainError} invalid_state if the caller's own session is one of them.
 */
export async function findSessionsWithoutFactor(tx: Transaction): Promise<Revocation[]> {
  const { run, ctx } = tx;
  const { actor } = ctx;
  await lockMembers(tx);
  const found = await run(FIND, [ctx.workspaceId]);
  if (actor.type === "user" && found.some(({ id }) => id === actor.session?.id)) {
    throw new DomainError(
      "invalid_state",
      "Add a second factor to your own account first. Otherwise you would be shut out.",
    );
  }
  return found.map(({ id }) => ({ kind: "session", subjectId: id, reason: "mfa_required" }));
}

const FIND = sql<{ id: string }>`
SELECT id FROM users_tokens WHERE workspace_id = $1::uuid AND context = 'session'
  AND provider_id IS NULL AND mfa_at IS NULL AND expires_at > ${NOW}
ORDER BY id`;
