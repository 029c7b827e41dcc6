import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { requireUser } from "../../domain/kernel/guard.ts";

/** A browser in which a person is logged in, without secrets. */
export type SessionView = {
  id: string;
  ip: string | null;
  userAgent: string | null;
  /** When the password was last entered in this session. */
  authenticatedAt: Date;
  /** When a second factor was last used in this session; null if none was. */
  mfaAt: Date | null;
  /** The creation time of the oldest session in its family that is kept. */
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  remembered: boolean;
  /** Whether it is the session of the current request. */
  current: boolean;
};

/**
 * Lists the caller's sessions, the current one first.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function listSessions(ctx: Ctx): Promise<SessionView[]> {
  const { id, session } = requireUser(ctx);
  return ctx.read(LIST, [ctx.workspaceId, id, session.familyId]);
}

/** A family is one browser, shown as its newest session. */
const LIST = sql<SessionView>`
SELECT t.id, t.ip, t.user_agent AS "userAgent", t.authenticated_at AS "authenticatedAt", t.mfa_at AS "mfaAt", f."createdAt", f."lastSeenAt", t.expires_at AS "expiresAt", t.remembered,
  t.family_id = $3::uuid AS current
FROM (
  SELECT DISTINCT ON (family_id) * FROM users_tokens
  WHERE workspace_id = $1::uuid AND user_id = $2::uuid AND context = 'session'
    AND expires_at > ${NOW}
  ORDER BY family_id, created_at DESC, id DESC
) t
JOIN LATERAL (
  SELECT GREATEST(max(o.last_seen_at), max(o.created_at)) AS "lastSeenAt", min(o.created_at) AS "createdAt"
  FROM users_tokens o WHERE o.workspace_id = t.workspace_id AND o.family_id = t.family_id
) f ON true
ORDER BY current DESC, f."lastSeenAt" DESC, t.id`;
