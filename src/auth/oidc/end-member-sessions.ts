import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { lockMembers } from "../../domain/users/lock-user.ts";
import { type EndedSessions, describeEnded } from "../sessions/end-sessions.ts";

/**
 * Which sessions to end: those that began at a provider, or those that began with a password except a person's and one
 * family's.
 */
export type MemberSessions = { providerId: string } | { exceptUserId: string; exceptFamilyId: string | null };

/**
 * Locks the workspace's members, and deletes sessions of theirs.
 *
 * @returns what the caller must append; empty if there were no sessions.
 */
export async function endMemberSessions(
  tx: Transaction,
  which: MemberSessions,
  reason: string,
): Promise<EndedSessions> {
  const { run, ctx } = tx;
  await lockMembers(tx);
  const ended =
    "providerId" in which
      ? await run(DELETE_OF_PROVIDER, [ctx.workspaceId, which.providerId])
      : await run(DELETE_BY_PASSWORD, [ctx.workspaceId, which.exceptUserId, which.exceptFamilyId]);
  return describeEnded(ended, reason);
}

const DELETE_OF_PROVIDER = sql<{ id: string; userId: string }>`
DELETE FROM users_tokens WHERE workspace_id = $1::uuid AND context = 'session' AND provider_id = $2::uuid
RETURNING id, user_id AS "userId"`;

const DELETE_BY_PASSWORD = sql<{ id: string; userId: string }>`
DELETE FROM users_tokens WHERE workspace_id = $1::uuid AND context = 'session' AND provider_id IS NULL
  AND user_id <> $2::uuid AND ($3::uuid IS NULL OR family_id <> $3::uuid)
RETURNING id, user_id AS "userId"`;
