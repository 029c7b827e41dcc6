import { v7 as uuidv7 } from "uuid";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { getFixedTimes } from "../../domain/kernel/get-fixed-times.ts";
import { requireSudo, requireUser } from "../../domain/kernel/guard.ts";
import { type LockedUser, lockUser } from "../../domain/users/lock-user.ts";
import { addFirstFactor } from "./add-first-factor.ts";
import { createTakenError, openTotpSetup } from "./begin-totp.ts";
import { noteFactorChange } from "./factor-change.ts";
import { sealTotpSecret } from "./totp-secret.ts";
import { findTotpStep } from "./totp.ts";

/**
 * Adds the authenticator app that shows this code. The person's first factor brings recovery codes, and ends their
 * other sessions: those began with a password alone.
 *
 * @returns the recovery codes, shown once; null if the person has a factor already.
 * @throws {DomainError} forbidden unless the caller is a person; sudo_required; validation_failed at `setup` if it is
 *   not the caller's or 15 minutes old, and at `code` for a wrong one; invalid_state if there is an app already.
 */
export async function addTotp(
  ctx: Ctx,
  { setup, code }: { setup: string; code: string },
): Promise<string[] | null> {
  const { id: userId } = requireUser(ctx);
  requireSudo(ctx, "viewer");
  const secret = await openTotpSetup(ctx, setup);
  const typed = code.replaceAll(/[\s-]/g, "");
  return ctx.transaction(async (tx) => {
    const user = await lockUser(tx, userId);
    if ((await tx.db.totpFactor.count({ where: { userId } })) > 0) throw createTakenError();
    const step = /^[0-9]{6}$/.test(typed) ? await findTotpStep(secret, typed, await tx.now()) : null;
    if (step === null) throw createFieldError("code", "is wrong: enter the digits that the app shows now");
    return insert(tx, user, { secret, lastStep: step });
  }, "urgent");
}

async function insert(
  tx: Transaction,
  user: LockedUser,
  { secret, lastStep }: { secret: string; lastStep: number },
): Promise<string[] | null> {
  const { ctx, db } = tx;
  const id = uuidv7();
  await db.totpFactor.create({
    data: {
      workspaceId: ctx.workspaceId,
      id,
      userId: user.id,
      lastStep,
      sealedSecret: sealTotpSecret(ctx, id, secret),
      ...getFixedTimes(ctx, "createdAt"),
    },
  });
  const recoveryCodes = user.hasSecondFactor ? null : await addFirstFactor(tx, user);
  const changes = { factor: "totp" };
  await noteFactorChange(tx, user, {
    action: "user.factor_added",
    news: "added",
    changes,
    hasFactor: true,
  });
  return recoveryCodes;
}
