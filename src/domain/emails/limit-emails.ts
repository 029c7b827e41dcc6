import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { takeHit } from "../kernel/throttle.ts";

/** The most requested emails to one address within 15 minutes. */
const MAX_EMAILS = 5;

/**
 * Counts a requested email to an address that its requester entered, over all workspaces, so that nobody
 * can flood a mailbox.
 *
 * @throws {DomainError} rate_limited after five emails within 15 minutes.
 */
export async function limitEmails(tx: Transaction, email: string): Promise<void> {
  const key = `emails:address:${email.toLowerCase()}`;
  if ((await takeHit({ database: tx, now: tx.ctx.now }, { key, limit: MAX_EMAILS })) !== null) return;
  throw new DomainError("rate_limited", "Too many emails to this address. Try again in 15 minutes.");
}
