import type { Ctx } from "./context.ts";

/**
 * Lets pass a caller whose credential still stands: it may have been revoked since he was let in, while his
 * request came in or this process stood still.
 *
 * @throws {DomainError} invalid_token where it was revoked; unavailable where what it allows has changed, or can't
 *   be known.
 */
export function requireStanding(ctx: Ctx): void {
  const refusal = ctx.services.live.refusal(ctx);
  if (refusal !== null) throw refusal;
}
