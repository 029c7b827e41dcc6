import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { takeHit } from "../kernel/throttle.ts";

/**
 * Counts an invitation of the workspace, so that nobody can send a flood of emails in our name. People whom an
 * identity provider adds get no email and are not counted.
 *
 * @throws {DomainError} rate_limited after 100 invitations within 15 minutes.
 */
export async function limitInvitations(tx: Transaction): Promise<void> {
  const { workspaceId, now } = tx.ctx;
  const invitations = { key: `invitations:${workspaceId}`, limit: LIMITS.invitations };
  if ((await takeHit({ database: tx, now }, invitations)) !== null) return;
  throw new DomainError(
    "rate_limited",
    `Too many invitations: a workspace can send ${LIMITS.invitations} within 15 minutes. ` +
      "Try again in 15 minutes, or add people by SCIM.",
  );
}
