import type { Ctx } from "./context.ts";
import { DomainError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

/**
 * Runs what waits for something, entered among those who wait.
 *
 * @param work given a signal for when the caller's credential is revoked meanwhile, or that can't be known any
 *   more; its reason is the refusal to throw.
 * @throws {DomainError} rate_limited where too many of the same credential wait.
 */
export async function withWait<Result>(
  ctx: Ctx,
  work: (revoked: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { revoked, count, leave } = ctx.services.live.enterWait(ctx);
  try {
    if (count > LIMITS.waitsPerCredential) {
      const message = `At most ${LIMITS.waitsPerCredential} requests of a credential wait at once.`;
      throw new DomainError("rate_limited", message);
    }
    return await work(revoked);
  } finally {
    leave();
  }
}
