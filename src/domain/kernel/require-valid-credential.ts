import type { LiveChannel } from "./live-channel.ts";

/** The parts of a context that identify the caller and know the revocations. */
type CredentialContext = Parameters<LiveChannel["findCredentialError"]>[0] & {
  services: { live: LiveChannel };
};

/**
 * Checks that the caller's credential is still valid: it may have been revoked while the request was
 * arriving or this process was suspended.
 *
 * @throws {DomainError} invalid_token if it was revoked; unavailable if it must be checked again.
 */
export function requireValidCredential(ctx: CredentialContext): void {
  const error = ctx.services.live.findCredentialError(ctx);
  if (error !== null) throw error;
}
