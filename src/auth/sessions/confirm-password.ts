import { NOW, sql } from "../../db/sql.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { useCode } from "../factors/use-code.ts";
import { requirePasswordUse } from "../oidc/admit-password.ts";
import { getConfirmationUse } from "../passkeys/begin-passkey-use.ts";
import { usePasskey } from "../passkeys/use-passkey.ts";
import { countCode, uncountCode } from "./code-attempt.ts";
import { verifyOwnPassword } from "./own-password.ts";
import type { SessionServices } from "./session-services.ts";

/** What a person confirms with. */
export type Confirmation = {
  password: string;
  /** Of the second factor; "" without one. */
  code: string;
};

/**
 * Verifies the caller's password, and a code if they have a second factor, and makes the session sudo for 20 minutes.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed at `password` or `code` for a wrong
 *   one; rate_limited after ten wrong ones within 15 minutes.
 */
export async function confirmPassword(
  ctx: Ctx,
  services: SessionServices,
  { password, code }: Confirmation,
): Promise<void> {
  const { id } = requireUser(ctx);
  await verifyOwnPassword(ctx, services, { field: "password", password });
  if (!(await hasSecondFactor(ctx))) return ctx.transaction((tx) => confirm(tx, { isByFactor: false }));
  if (code.trim() === "") throw createFieldError("code", "is required: you have a second factor");
  const hits = await countCode(services, { userId: id, place: "confirmation" }, ctx);
  await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, id);
    if ((await useCode(tx, user, code)) === null) throw createFieldError("code", "is wrong");
    await confirm(tx, { isByFactor: true });
  });
  await uncountCode(services, hits);
}

/**
 * Verifies that the caller has used a passkey for this, and makes the session sudo for 20 minutes.
 *
 * @throws {DomainError} forbidden unless the caller is a person; invalid_state where only the provider counts;
 *   validation_failed if the passkey is refused.
 */
export async function confirmByPasskey(ctx: Ctx, response: string): Promise<void> {
  const { id } = requireUser(ctx);
  await requirePasswordUse(ctx);
  const isRight = await ctx.transaction(async (tx) => {
    const user = await lockUser(tx, id);
    const proof = { response, use: getConfirmationUse(id), isUserVerified: true };
    if (!(await usePasskey(tx, user, proof))) return false;
    await confirm(tx, { isByFactor: true });
    return true;
  });
  if (!isRight) throw createFieldError("passkey", "was not accepted: try again");
}

/**
 * Whether the caller has a second factor.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function hasSecondFactor(ctx: Ctx): Promise<boolean> {
  const { id } = requireUser(ctx);
  return (await ctx.db.user.count({ where: { id, secondFactorAt: { not: null } } })) > 0;
}

/**
 * Makes the caller's session sudo for 20 minutes: the person has just authenticated.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function confirmSession(ctx: Ctx): Promise<void> {
  requireUser(ctx);
  await ctx.transaction((tx) => confirm(tx, { isByFactor: false }));
}

async function confirm(tx: Transaction, { isByFactor }: { isByFactor: boolean }): Promise<void> {
  const { id: userId, session } = requireUser(tx.ctx);
  await tx.run(UPDATE, [tx.ctx.workspaceId, session.familyId, isByFactor]);
  const subject = { subjectType: "session", subjectId: session.id };
  append(tx, {
    events: [{ type: "session.confirmed", ...subject, data: { user_id: userId } }],
    audit: [{ action: "session.confirmed", targetType: "session", targetId: session.id }],
  });
}

const UPDATE = sql`
UPDATE users_tokens SET authenticated_at = ${NOW}, mfa_at = CASE WHEN $3 THEN ${NOW} ELSE mfa_at END
  WHERE workspace_id = $1::uuid AND family_id = $2::uuid AND context = 'session'`;
