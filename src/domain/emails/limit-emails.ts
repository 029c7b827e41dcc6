import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { takeHit } from "../kernel/throttle.ts";

/** Letters that people may have sent to one address within 15 minutes. */
const MAX_EMAILS = 5;

/**
 * Counts a letter to an address that somebody else has typed, whichever workspace it comes from: so that
 * nobody's mailbox can be filled by ours.
 *
 * @throws {DomainError} rate_limited after five letters within 15 minutes.
 */
export async function limitEmails(tx: Transaction, email: string): Promise<void> {
  const key = `letters:email:${email.toLowerCase()}`;
  if ((await takeHit({ database: tx, now: tx.ctx.now }, { key, limit: MAX_EMAILS })).allowed) return;
  throw new DomainError("rate_limited", "Too many letters to this address. Try again in 15 minutes.");
}
