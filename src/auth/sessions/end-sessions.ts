import { sql } from "../../db/sql.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { AppendContent } from "../../domain/kernel/events.ts";

/** Which of a person's sessions to end: one family, all but one family, or all. */
export type Ending = { familyId: string } | { exceptFamilyId: string } | "all";

type Families = { familyId?: string; exceptFamilyId?: string };

/**
 * Deletes sessions of a person whom the caller has locked.
 *
 * @returns what the caller must append; empty if there were no sessions.
 */
export async function endSessions(
  { run, ctx }: Transaction,
  userId: string,
  { which, reason }: { which: Ending; reason: string },
): Promise<Required<Pick<AppendContent, "events" | "audit" | "revocations">>> {
  const { familyId, exceptFamilyId }: Families = which === "all" ? {} : which;
  const ended = await run(DELETE, [ctx.workspaceId, userId, familyId ?? null, exceptFamilyId ?? null]);
  const data = { user_id: userId, reason };
  return {
    events: ended.map(({ id }) => ({ type: "session.ended", subjectType: "session", subjectId: id, data })),
    audit: ended.map(({ id }) => ({
      action: "session.ended",
      targetType: "session",
      targetId: id,
      changes: data,
    })),
    revocations: ended.map(({ id }) => ({ kind: "session", subjectId: id, reason })),
  };
}

const DELETE = sql<{ id: string }>`
DELETE FROM users_tokens WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND context = 'session'
  AND ($3::uuid IS NULL OR family_id = $3::uuid) AND ($4::uuid IS NULL OR family_id <> $4::uuid) RETURNING id`;
