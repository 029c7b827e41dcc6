import type { Ctx } from "../../domain/kernel/context.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { STEP_SECONDS } from "./totp.ts";

/** A person's second factors, without secrets. */
export type FactorsView = {
  /** Null without an authenticator app. */
  totp: { createdAt: Date; lastUsedAt: Date } | null;
  /** The oldest first. */
  passkeys: { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }[];
  recoveryCodesLeft: number;
};

/**
 * Reads the caller's second factors.
 *
 * @throws {DomainError} forbidden unless the caller is a person.
 */
export async function readFactors(ctx: Ctx): Promise<FactorsView> {
  const { id: userId } = requireUser(ctx);
  const [factor, passkeys, recoveryCodesLeft] = await Promise.all([
    ctx.db.totpFactor.findFirst({ where: { userId }, select: { createdAt: true, lastStep: true } }),
    ctx.db.passkey.findMany({
      where: { userId },
      select: { id: true, name: true, createdAt: true, lastUsedAt: true },
      orderBy: { id: "asc" },
    }),
    ctx.db.recoveryCode.count({ where: { userId } }),
  ]);
  const totp = factor && {
    createdAt: factor.createdAt,
    // At most one step away from when its code was used.
    lastUsedAt: new Date(factor.lastStep * STEP_SECONDS * 1000),
  };
  return { totp, passkeys, recoveryCodesLeft };
}
