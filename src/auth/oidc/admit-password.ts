import { sql } from "../../db/sql.ts";
import { queueEmail } from "../../domain/emails/queue-email.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { MAY_USE_PASSWORD } from "./password-use.ts";

/**
 * Requires that a person, whom the caller has locked, may begin a session without the workspace's provider. Where
 * sign-in by it is enforced, that is break-glass: recorded, and mailed to all owners.
 *
 * @throws {DomainError} unauthenticated.
 */
export async function admitPassword(tx: Transaction, userId: string): Promise<void> {
  const [person] = await tx.run(READ, [tx.ctx.workspaceId, userId]);
  if (person?.isAllowed !== true) {
    throw new DomainError("unauthenticated", "Members of this workspace sign in by its provider.");
  }
  if (person.isEnforced) await noteBreakGlass(tx, { id: userId, name: person.name });
}

const READ = sql<{ name: string; isAllowed: boolean; isEnforced: boolean }>`
SELECT COALESCE(u.name, u.email, u.user_name, '') AS name, ${MAY_USE_PASSWORD} AS "isAllowed",
  EXISTS (SELECT 1 FROM sign_in_provider p WHERE p.workspace_id = u.workspace_id AND p.enforced) AS "isEnforced"
FROM "user" u WHERE u.workspace_id = $1::uuid AND u.id = $2::uuid`;

async function noteBreakGlass(tx: Transaction, { id, name }: { id: string; name: string }): Promise<void> {
  const { workspaceId, ip, userAgent } = tx.ctx;
  for (const { userId, sentTo, authEpoch } of await tx.run(LIST_OWNERS, [workspaceId])) {
    const data = { ip, userAgent, usedBy: name };
    await queueEmail(tx, { userId, kind: "break_glass_used", sentTo, authEpoch, data });
  }
  const action = "user.break_glass_used";
  append(tx, {
    events: [{ type: action, subjectType: "user", subjectId: id }],
    audit: [{ action, targetType: "user", targetId: id }],
  });
}

const LIST_OWNERS = sql<{ userId: string; sentTo: string; authEpoch: number }>`
SELECT id AS "userId", email AS "sentTo", auth_epoch AS "authEpoch" FROM "user"
WHERE workspace_id = $1::uuid AND role = 'owner' AND email IS NOT NULL AND suspended_at IS NULL AND deleted_at IS NULL
ORDER BY id`;

/**
 * Requires that the caller's password counts for something.
 *
 * @throws {DomainError} forbidden unless the caller is a person; invalid_state where sign-in by the provider is enforced.
 */
export async function requirePasswordUse(ctx: Ctx): Promise<void> {
  if (await canUsePassword(ctx)) return;
  throw new DomainError(
    "invalid_state",
    "Passwords don't count in your workspace: its members sign in with their company's account.",
  );
}

/**
 * Whether the caller's password counts for something.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function canUsePassword(ctx: Ctx): Promise<boolean> {
  const [person] = await ctx.read(READ, [ctx.workspaceId, requireUser(ctx).id]);
  return person?.isAllowed !== false;
}
