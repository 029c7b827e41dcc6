import type { Ctx, NewSession, Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { insertSession } from "./insert-session.ts";
import { GRACE_SECONDS } from "./session-adapter.ts";

type OldSession = {
  familyId: string;
  remembered: boolean;
  authEpoch: number;
  authenticatedAt: Date;
  successorId: string | null;
  isReplaced: boolean;
  gains: boolean;
};

/**
 * Puts a new session in the place of the caller's. The old one stays valid until the new one was first
 * used and a minute more, so that requests that are under way and an answer that was lost sign nobody
 * out. Of any number of callers at once one gets the new session.
 *
 * @param maxDays days since the password was given after which no session lives.
 * @returns null where the session was replaced already, or could not live longer.
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#renewal-timeout
 */
export async function reissueSession(ctx: Ctx, maxDays: number): Promise<NewSession | null> {
  const { id: userId, session } = requireUser(ctx);
  try {
    return await ctx.transaction(async (tx) => {
      const old = await lockSession(tx, userId, maxDays);
      if (old === null || old.isReplaced || !old.gains) return null;
      const { familyId, remembered, authEpoch, authenticatedAt } = old;
      const input = { userId, familyId, remembered, authEpoch, authenticatedAt, maxDays };
      const { id, token } = await insertSession(tx, input);
      await supersede(tx, session.id, id);
      // A successor that nobody has ever used was lost on its way.
      if (old.successorId !== null) await tx.db.userToken.deleteMany({ where: { id: old.successorId } });
      const target = { targetType: "session", targetId: id };
      await append(tx, {
        events: [
          { type: "session.reissued", subjectType: "session", subjectId: id, data: { user_id: userId } },
        ],
        audit: [{ action: "session.reissued", ...target, changes: { replaces: session.id } }],
      });
      return { token, remembered };
    });
  } catch (error) {
    // The account was suspended or its password changed meanwhile: there is nothing to reissue.
    if (error instanceof DomainError && error.code === "unauthenticated") return null;
    throw error;
  }
}

/** The person first: whoever ends sessions locks in this order too. */
async function lockSession(
  { db, ctx }: Transaction,
  userId: string,
  maxDays: number,
): Promise<OldSession | null> {
  // requirePerson has held that it is a person's.
  const { session } = requireUser(ctx);
  await db.$queryRawUnsafe(
    `SELECT id FROM "user" WHERE workspace_id = $1::uuid AND id = $2::uuid FOR SHARE`,
    ...[ctx.workspaceId, userId],
  );
  const locked = await db.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM users_tokens WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE`,
    ...[ctx.workspaceId, session.id],
  );
  if (locked.length === 0) return null;
  // A statement of its own: it must see the successor of whoever held the lock before.
  const [old] = await db.$queryRawUnsafe<OldSession[]>(
    `SELECT t.family_id AS "familyId", t.remembered, t.auth_epoch AS "authEpoch",
       t.authenticated_at AS "authenticatedAt", t.successor_id AS "successorId",
       COALESCE(s.first_used_at IS NOT NULL OR s.created_at > c.now - interval '${GRACE_SECONDS} seconds', false) AS "isReplaced",
       t.expires_at < t.authenticated_at + make_interval(days => $4::int) AS gains
     FROM users_tokens t CROSS JOIN (SELECT COALESCE($3::timestamptz, now()) AS now) c
     LEFT JOIN users_tokens s ON s.workspace_id = t.workspace_id AND s.id = t.successor_id
     WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`,
    ...[ctx.workspaceId, session.id, ctx.now, maxDays],
  );
  return old ?? null;
}

async function supersede({ db, ctx }: Transaction, oldId: string, successorId: string): Promise<void> {
  await db.$queryRawUnsafe(
    `UPDATE users_tokens SET superseded_at = COALESCE($4::timestamptz, now()), successor_id = $3::uuid
     WHERE workspace_id = $1::uuid AND id = $2::uuid`,
    ...[ctx.workspaceId, oldId, successorId, ctx.now],
  );
}
