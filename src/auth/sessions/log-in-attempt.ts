import {
  type Hit,
  type ThrottleDatabase,
  addressKey,
  clearHits,
  giveBack,
  takeHit,
} from "../../domain/kernel/throttle.ts";
import type { ClientInfo } from "./client-info.ts";
import type { SessionServices } from "./session-services.ts";

/** Per IP address and email address, so that guesses from elsewhere lock nobody out here. */
const FAILURES = 10;
/** Per email address, from all IP addresses. */
const FAILURES_PER_EMAIL = 100;
/** Per IP address, for all email addresses. */
const FAILURES_PER_PLACE = 30;

/** A counted log-in: for its IP address, and for its email address. */
type Attempt = { place: Hit; email: Hit[] | null };

/**
 * Counts a log-in before the password is verified: otherwise many concurrent attempts would all pass.
 *
 * @returns null after 30 failures from one IP address; `email` is null after ten of them for the email address,
 *   and after 100 for it from all IP addresses.
 */
export async function countAttempt(
  services: SessionServices,
  email: string,
  seen: ClientInfo,
): Promise<Attempt | null> {
  const key = `log-in:ip:${addressKey(seen.ip)}`;
  const place = await takeHit(services, { key, limit: FAILURES_PER_PLACE });
  if (place === null) return null;
  const here = await takeHit(services, { key: getKeyHere(email, seen), limit: FAILURES });
  if (here === null) return { place, email: null };
  const everywhere = await takeHit(services, { key: getKey(email), limit: FAILURES_PER_EMAIL });
  return { place, email: everywhere === null ? null : [here, everywhere] };
}

/** Removes an attempt from the count if it did not fail, or if its outcome is unknown. */
export async function uncountAttempt(services: SessionServices, { place, email }: Attempt): Promise<void> {
  for (const hit of [place, ...(email ?? [])]) await giveBack(services, hit);
}

/** Resets the failures for an email address, from all IP addresses together and from this one. */
export async function forgetFailures(
  services: ThrottleDatabase,
  email: string,
  seen: ClientInfo,
): Promise<void> {
  for (const key of [getKey(email), getKeyHere(email, seen)]) await clearHits(services, key);
}

function getKey(email: string): string {
  return `log-in:email:${email.trim()}`;
}

function getKeyHere(email: string, { ip }: ClientInfo): string {
  return `log-in:email-from:${addressKey(ip)}:${email.trim()}`;
}
