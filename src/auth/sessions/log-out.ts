import type { Ctx } from "../../domain/kernel/context.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { lockUser } from "../../domain/users/lock-user.ts";
import { type Ending, endSessions } from "./end-sessions.ts";

/**
 * Logs the caller's browser out: its session and every other one of its family die, and their sockets.
 *
 * @throws {DomainError} forbidden for anybody but a person.
 */
export async function logOut(ctx: Ctx): Promise<void> {
  const { familyId } = requireUser(ctx).session;
  await endOwn(ctx, { familyId }, "logged_out");
}

/**
 * Logs the caller's person out of every browser.
 *
 * @throws {DomainError} forbidden for anybody but a person.
 */
export async function logOutEverywhere(ctx: Ctx): Promise<void> {
  await endOwn(ctx, "all", "logged_out");
}

/**
 * Logs the caller's person out of every browser but this one.
 *
 * @throws {DomainError} forbidden for anybody but a person.
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
    if (ended.events.length > 0) await append(tx, ended);
  }, "urgent");
}
