import type { Ctx } from "./context.ts";
import { DomainError } from "./errors.ts";
import { LIMITS } from "./limits.ts";

/**
 * Runs work that waits, registered as a waiter.
 *
 * @param work gets a signal that is aborted if the caller's credential is revoked or must be checked again;
 *   its reason is the error to throw. And a function that counts the workspace's requests that wait on this node.
 * @throws {DomainError} rate_limited if too many requests of the credential wait, or of the workspace on this node: it
 *   gets as many as remain for others.
 */
export async function withWait<Result>(
  ctx: Ctx,
  work: (revoked: AbortSignal, countOfWorkspace: () => number) => Promise<Result>,
): Promise<Result> {
  const { revoked, count, countOfNode, countOfWorkspace, leave } = ctx.services.live.enterWait(ctx);
  const [most, mostOfNode] = ctx.canHold
    ? [LIMITS.heldPerCredential, LIMITS.heldPerNode]
    : [LIMITS.waitsPerCredential, LIMITS.waitsPerNode];
  try {
    if (count > most) {
      const message = `At most ${most} requests of a credential can wait at once. Try again later.`;
      throw new DomainError("rate_limited", message);
    }
    if (countOfNode + countOfWorkspace() > mostOfNode) {
      throw new DomainError("rate_limited", "Too many requests wait at the moment. Try again later.");
    }
    return await work(revoked, countOfWorkspace);
  } finally {
    leave();
  }
}
