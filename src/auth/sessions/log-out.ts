import type { Ctx } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { type Ending, endSessions } from "./end-sessions.ts";

/**
 * Logs the caller out of this browser: revokes all sessions of its family and closes their sockets.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function logOut(ctx: Ctx): Promise<void> {
  const { familyId } = requireUser(ctx).session;
  await endOwn(ctx, { familyId }, "logged_out");
}

/**
 * Logs the caller out of all browsers.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function logOutEverywhere(ctx: Ctx): Promise<void> {
  await endOwn(ctx, "all", "logged_out");
}

/**
 * Logs the caller out of all browsers except this one.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function revokeOtherSessions(ctx: Ctx): Promise<void> {
  const { familyId } = requireUser(ctx).session;
  await endOwn(ctx, { exceptFamilyId: familyId }, "revoked");
}

async function endOwn(ctx: Ctx, which: Ending, reason: string): Promise<void> {
  const { id } = requireUser(ctx);
  await ctx.transaction(async (tx) => {
    await lockUser(tx, id);
    const ended = await endSessions(tx, id, { which, reason });
    if (ended.events.length > 0) append(tx, ended);
  }, "urgent");
}
