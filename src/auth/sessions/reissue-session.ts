import { NOW, sql } from "../../db/sql.ts";
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
  providerId: string | null;
  mfaAt: Date | null;
  sid: string | null;
  sealedIdToken: Uint8Array<ArrayBuffer> | null;
  successorId: string | null;
  isReplaced: boolean;
  gains: boolean;
};

/**
 * Replaces the caller's session. The old one stays valid until a minute after the first use of the new one,
 * so that concurrent requests and lost answers log nobody out. Of concurrent callers one gets the new
 * session.
 *
 * @param maxDays days after the password was entered at which every session expires.
 * @returns null if the session was already replaced, or can't be extended.
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#renewal-timeout
 */
export async function reissueSession(ctx: Ctx, maxDays: number): Promise<NewSession | null> {
  const { id: userId, session } = requireUser(ctx);
  try {
    return await ctx.transaction(async (tx) => {
      const old = await lockSession(tx, maxDays);
      if (old === null || old.isReplaced || !old.gains) return null;
      const { familyId, remembered, authEpoch, authenticatedAt, providerId, mfaAt, sid, sealedIdToken } = old;
      const kept = { familyId, remembered, authEpoch, authenticatedAt, providerId, mfaAt };
      const input = { userId, ...kept, providerSession: { sid, sealedIdToken }, maxDays };
      const { id, token } = await insertSession(tx, input);
      await supersede(tx, session.id, id);
      // A successor that was never used did not reach the browser.
      if (old.successorId !== null) await tx.db.userToken.deleteMany({ where: { id: old.successorId } });
      const target = { targetType: "session", targetId: id };
      append(tx, {
        events: [
          { type: "session.reissued", subjectType: "session", subjectId: id, data: { user_id: userId } },
        ],
        audit: [{ action: "session.reissued", ...target, changes: { replaces: session.id } }],
      });
      return { token, remembered };
    });
  } catch (error) {
    // The account was suspended or its password changed meanwhile, so there is nothing to reissue.
    if (error instanceof DomainError && error.code === "unauthenticated") return null;
    throw error;
  }
}

/** Locks the person first, in the same order as all code that ends sessions. */
async function lockSession({ run, ctx }: Transaction, maxDays: number): Promise<OldSession | null> {
  const { id: userId, session } = requireUser(ctx);
  await run(LOCK, [ctx.workspaceId, userId]);
  const locked = await run(LOCK_USERS_TOKENS, [ctx.workspaceId, session.id]);
  if (locked.length === 0) return null;
  // In a statement of its own, so that it sees the successor made by a caller that held the lock before.
  const [old] = await run(READ, [ctx.workspaceId, session.id, maxDays]);
  return old ?? null;
}

const LOCK = sql`SELECT id FROM "user" WHERE workspace_id = $1::uuid AND id = $2::uuid FOR SHARE`;

const LOCK_USERS_TOKENS = sql<{
  id: string;
}>`SELECT id FROM users_tokens WHERE workspace_id = $1::uuid AND id = $2::uuid FOR UPDATE`;

async function supersede({ run, ctx }: Transaction, oldId: string, successorId: string): Promise<void> {
  await run(UPDATE, [ctx.workspaceId, oldId, successorId]);
}

const READ = sql<OldSession>`
SELECT t.family_id AS "familyId", t.remembered, t.auth_epoch AS "authEpoch",
  t.authenticated_at AS "authenticatedAt", t.provider_id AS "providerId", t.provider_sid AS sid,
  t.sealed_id_token AS "sealedIdToken", t.mfa_at AS "mfaAt", t.successor_id AS "successorId",
  COALESCE(s.first_used_at IS NOT NULL OR s.created_at > c.now - interval '${GRACE_SECONDS} seconds', false) AS "isReplaced",
  t.expires_at < t.authenticated_at + make_interval(days => $3::int) AS gains
FROM users_tokens t CROSS JOIN (SELECT ${NOW} AS now) c
LEFT JOIN users_tokens s ON s.workspace_id = t.workspace_id AND s.id = t.successor_id
WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;

const UPDATE = sql`
UPDATE users_tokens SET superseded_at = ${NOW}, successor_id = $3::uuid
WHERE workspace_id = $1::uuid AND id = $2::uuid`;
