import type { Ctx } from "./context.ts";
import { DomainError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

/**
 * Runs work that waits, registered as a waiter.
 *
 * @param work gets a signal that is aborted if the caller's credential is revoked or must be checked again;
 *   its reason is the error to throw.
 * @throws {DomainError} rate_limited if too many requests of the credential wait.
 */
export async function withWait<Result>(
  ctx: Ctx,
  work: (revoked: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { revoked, count, leave } = ctx.services.live.enterWait(ctx);
  try {
    if (count > LIMITS.waitsPerCredential) {
      const message = `At most ${LIMITS.waitsPerCredential} requests of a credential can wait at once. Try again later.`;
      throw new DomainError("rate_limited", message);
    }
    return await work(revoked);
  } finally {
    leave();
  }
}
