import { sql } from "../../db/sql.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError, createFieldError } from "../../domain/kernel/errors.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import { type Hit, clearHits, giveBack, takeHit } from "../../domain/kernel/throttle.ts";
import { requirePasswordUse } from "../oidc/admit-password.ts";
import { isPasswordPossible } from "../password-rules.ts";
import type { SessionServices } from "./session-services.ts";

const FAILURES = 10;

/** The parts of a person's row that belong to the verified password. */
export type OwnAccount = { email: string | null; authEpoch: number };

/**
 * Verifies the caller's own password.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed at `field` for a wrong
 *   password; rate_limited after ten wrong ones within 15 minutes; invalid_state where passwords don't count.
 */
export async function verifyOwnPassword(
  ctx: Ctx,
  services: SessionServices,
  { field, password }: { field: string; password: string },
): Promise<OwnAccount> {
  const { id } = requireUser(ctx);
  if (!isPasswordPossible(password)) throw createFieldError(field, "is wrong");
  await requirePasswordUse(ctx);
  const key = `own-password:${id}`;
  const hit = await takeHit(services, { key, limit: FAILURES });
  if (hit === null) {
    throw new DomainError("rate_limited", "Too many wrong passwords. Try again in 15 minutes.");
  }
  const [account] = await ctx.read(OWN, [ctx.workspaceId, id]);
  const hash = account?.hashedPassword ?? null;
  const isRight =
    hash !== null && (await verifyPassword(services, { hash, password, hit, by: ctx.workspaceId }));
  if (account === undefined || !isRight) throw createFieldError(field, "is wrong");
  await clearHits(services, key);
  return account;
}

/** A password that could not be verified does not count as a failure. */
async function verifyPassword(
  services: SessionServices,
  { hash, password, hit, by }: { hash: string; password: string; hit: Hit; by: string },
): Promise<boolean> {
  try {
    return await services.passwords.verify(hash, password, by);
  } catch (error) {
    await giveBack(services, hit);
    throw error;
  }
}

const OWN = sql<OwnAccount & { hashedPassword: string | null }>`
SELECT email, auth_epoch AS "authEpoch", hashed_password AS "hashedPassword" FROM "user"
WHERE workspace_id = $1::uuid AND id = $2::uuid AND suspended_at IS NULL AND deleted_at IS NULL`;
