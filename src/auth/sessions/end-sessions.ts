import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { AppendContent } from "../../domain/kernel/events.ts";

/** Which of a person's sessions to end: one family, all but one family, all but so many of the newest, or all. */
export type Ending = { familyId: string } | { exceptFamilyId: string } | { exceptNewest: number } | "all";

type Which = { familyId?: string | null; exceptFamilyId?: string | null; exceptNewest?: number | null };

/** What ended sessions append. */
export type EndedSessions = Required<Pick<AppendContent, "events" | "audit" | "revocations">>;

/**
 * Deletes sessions of a person whom the caller has locked.
 *
 * @returns what the caller must append; empty if there were no sessions.
 */
export async function endSessions(
  { run, ctx }: Transaction,
  userId: string,
  { which, reason }: { which: Ending; reason: string },
): Promise<EndedSessions> {
  const { familyId = null, exceptFamilyId = null, exceptNewest = null }: Which = which === "all" ? {} : which;
  const ended = await run(DELETE, [ctx.workspaceId, userId, familyId, exceptFamilyId, exceptNewest]);
  return describeEnded(
    ended.map(({ id }) => ({ id, userId })),
    reason,
  );
}

/** What to append for sessions that were deleted. */
export function describeEnded(
  ended: readonly { id: string; userId: string }[],
  reason: string,
): EndedSessions {
  const action = "session.ended";
  const rows = ended.map(({ id, userId }) => ({ id, data: { user_id: userId, reason } }));
  return {
    events: rows.map(({ id, data }) => ({ type: action, subjectType: "session", subjectId: id, data })),
    audit: rows.map(({ id, data }) => ({ action, targetType: "session", targetId: id, changes: data })),
    revocations: rows.map(({ id }) => ({ kind: "session", subjectId: id, reason })),
  };
}

const DELETE = sql<{ id: string }>`
DELETE FROM users_tokens WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND context = 'session'
  AND ($3::uuid IS NULL OR family_id = $3::uuid) AND ($4::uuid IS NULL OR family_id <> $4::uuid)
  AND ($5::int IS NULL OR id IN (
    SELECT id FROM users_tokens WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND context = 'session'
    ORDER BY created_at DESC, id DESC OFFSET $5::int))
RETURNING id`;
