import type { LiveChannel } from "./live-channel.ts";

/** As much of a context as tells whose it is, and who knows of what was revoked. */
type CredentialContext = Parameters<LiveChannel["findCredentialError"]>[0] & {
  services: { live: LiveChannel };
};

/**
 * Lets pass a caller whose credential still stands: it may have been revoked since he was let in, while his
 * request came in or this process stood still.
 *
 * @throws {DomainError} invalid_token where it was revoked; unavailable where what it allows has changed, or can't
 *   be known.
 */
export function requireValidCredential(ctx: CredentialContext): void {
  const error = ctx.services.live.findCredentialError(ctx);
  if (error !== null) throw error;
}
