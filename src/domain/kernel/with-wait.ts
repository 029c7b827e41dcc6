import type { Ctx } from "./context.ts";
import { DomainError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

/**
 * Runs work that waits, registered as a waiter.
 *
 * @param work gets a signal that is aborted if the caller's credential is revoked or must be checked again;
 *   its reason is the error to throw. And a function that counts the workspace's requests that wait on this node.
 * @throws {DomainError} rate_limited if too many requests of the credential wait, or this node holds too many calls:
 *   of one workspace, as many as would remain for others.
 */
export async function withWait<Result>(
  ctx: Ctx,
  work: (revoked: AbortSignal, countOfWorkspace: () => number) => Promise<Result>,
): Promise<Result> {
  const { revoked, count, countOfWorkspace, heldCalls, leave } = ctx.services.live.enterWait(ctx);
  const most = ctx.canHold ? LIMITS.heldPerCredential : LIMITS.waitsPerCredential;
  try {
    if (count > most) {
      const message = `At most ${most} requests of a credential can wait at once. Try again later.`;
      throw new DomainError("rate_limited", message);
    }
    if (heldCalls !== null && heldCalls.ofNode + heldCalls.ofWorkspace > LIMITS.heldPerNode) {
      throw new DomainError("rate_limited", "Too many calls wait for people. Try again later.");
    }
    return await work(revoked, countOfWorkspace);
  } finally {
    leave();
  }
}
