import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { type EndedSessions, describeEnded } from "../sessions/end-sessions.ts";

/**
 * Which sessions to end: those that began at a provider, or those that began with a password except a person's and one
 * family's.
 */
export type MemberSessions = { providerId: string } | { exceptUserId: string; exceptFamilyId: string | null };

/**
 * Deletes sessions of the workspace's members. Locks all of them first, in a fixed order: whoever is logging in
 * either has a session by then, or begins it afterwards.
 *
 * @returns what the caller must append; empty if there were no sessions.
 */
export async function endMemberSessions(
  { run, ctx }: Transaction,
  which: MemberSessions,
  reason: string,
): Promise<EndedSessions> {
  await run(LOCK, [ctx.workspaceId]);
  const ended =
    "providerId" in which
      ? await run(DELETE_OF_PROVIDER, [ctx.workspaceId, which.providerId])
      : await run(DELETE_BY_PASSWORD, [ctx.workspaceId, which.exceptUserId, which.exceptFamilyId]);
  return describeEnded(ended, reason);
}

const LOCK = sql`SELECT id FROM "user" WHERE workspace_id = $1::uuid AND deleted_at IS NULL ORDER BY id FOR UPDATE`;

const DELETE_OF_PROVIDER = sql<{ id: string; userId: string }>`
DELETE FROM users_tokens WHERE workspace_id = $1::uuid AND context = 'session' AND provider_id = $2::uuid
RETURNING id, user_id AS "userId"`;

const DELETE_BY_PASSWORD = sql<{ id: string; userId: string }>`
DELETE FROM users_tokens WHERE workspace_id = $1::uuid AND context = 'session' AND provider_id IS NULL
  AND user_id <> $2::uuid AND ($3::uuid IS NULL OR family_id <> $3::uuid)
RETURNING id, user_id AS "userId"`;
