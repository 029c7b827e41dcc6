import type { Ctx } from "../../domain/kernel/context.ts";
import { requireUser } from "../../domain/kernel/guard.ts";
import type { PendingLogIn } from "../sessions/pending-log-in.ts";
import type { SessionServices } from "../sessions/session-services.ts";
import { createRequestOptions } from "../vendor/webauthn.ts";
import { type ChallengeUse, createChallenge, runAt } from "./challenges.ts";
import { listKnownPasskeys } from "./known-passkeys.ts";
import { requireSite } from "./site.ts";

/** What a passkey is used for that is the second step of a log-in. */
export function getVerificationUse({ digest }: Pick<PendingLogIn, "digest">): ChallengeUse {
  return { purpose: "verify", subject: Buffer.from(digest).toString("hex") };
}

/** What a passkey is used for that confirms who the caller is. */
export function getConfirmationUse(userId: string): ChallengeUse {
  return { purpose: "confirm", subject: userId };
}

/**
 * Begins to use a passkey as the second step of a log-in.
 *
 * @returns the options for the browser. They are good for five minutes.
 * @throws {DomainError} invalid_state where there are no passkeys.
 */
export async function beginPasskeyVerification(
  services: SessionServices,
  pending: PendingLogIn,
): Promise<object> {
  const site = requireSite(services);
  const known = await listKnownPasskeys(services.database.run, pending);
  const challenge = await createChallenge(runAt(services), getVerificationUse(pending));
  return createRequestOptions({ site, challenge, isUserVerified: false }, known);
}

/**
 * Begins to confirm by a passkey who the caller is.
 *
 * @returns the options for the browser. They are good for five minutes.
 * @throws {DomainError} forbidden unless the caller is a person; invalid_state where there are no passkeys.
 */
export async function beginPasskeyConfirmation(ctx: Ctx): Promise<object> {
  const { id: userId } = requireUser(ctx);
  const site = requireSite(ctx.services);
  const known = await listKnownPasskeys(ctx.read, { workspaceId: ctx.workspaceId, userId });
  const challenge = await createChallenge(ctx.run, getConfirmationUse(userId));
  return createRequestOptions({ site, challenge, isUserVerified: true }, known);
}
