import { NOW, sql } from "../../db/sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { verifyOwnPassword } from "./own-password.ts";
import type { SessionServices } from "./session-services.ts";

/**
 * Verifies the caller's password and makes the session sudo for 20 minutes.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed for a wrong password;
 *   rate_limited after ten wrong ones within 15 minutes.
 */
export async function confirmPassword(ctx: Ctx, services: SessionServices, password: string): Promise<void> {
  requireUser(ctx);
  await verifyOwnPassword(ctx, services, { field: "password", password });
  await confirmSession(ctx);
}

/**
 * Makes the caller's session sudo for 20 minutes: the person has just authenticated.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function confirmSession(ctx: Ctx): Promise<void> {
  const { id: userId, session } = requireUser(ctx);
  const data = { user_id: userId };
  await ctx.transaction(async (tx) => {
    await tx.run(UPDATE, [ctx.workspaceId, session.familyId]);
    append(tx, {
      events: [{ type: "session.confirmed", subjectType: "session", subjectId: session.id, data }],
      audit: [{ action: "session.confirmed", targetType: "session", targetId: session.id }],
    });
  });
}

const UPDATE = sql`
UPDATE users_tokens SET authenticated_at = ${NOW}
  WHERE workspace_id = $1::uuid AND family_id = $2::uuid AND context = 'session'`;
