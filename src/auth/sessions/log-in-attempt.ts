import { type Hit, addressKey, clearHits, giveBack, takeHit } from "../../domain/kernel/throttle.ts";
import type { ClientInfo } from "./client-info.ts";
import type { SessionServices } from "./session-services.ts";

const FAILURES_PER_EMAIL = 10;
const FAILURES_PER_ADDRESS = 30;

/**
 * Counts a log-in before its password is verified: else a hundred at once would all be let through.
 *
 * @returns null after 30 failures from one place; `address` is null after ten for the e-mail address.
 */
export async function countAttempt(
  services: SessionServices,
  email: string,
  { ip }: ClientInfo,
): Promise<{ place: Hit; address: Hit | null } | null> {
  const place = await takeHit(services, { key: `log-in:ip:${addressKey(ip)}`, limit: FAILURES_PER_ADDRESS });
  if (place.hit === null) return null;
  const address = await takeHit(services, { key: getEmailKey(email), limit: FAILURES_PER_EMAIL });
  return { place: place.hit, address: address.hit };
}

/** Takes an attempt out of the count again: one that was no failure, or of which nobody knows. */
export async function uncountAttempt(
  services: SessionServices,
  { place, address }: { place: Hit; address: Hit | null },
): Promise<void> {
  await giveBack(services, place);
  if (address !== null) await giveBack(services, address);
}

/** Forgets the failures of an e-mail address, and this attempt, which was none. */
export async function forgetFailures(services: SessionServices, email: string, place: Hit): Promise<void> {
  await clearHits(services, getEmailKey(email));
  await giveBack(services, place);
}

/** The key under which failed log-ins of an e-mail address are counted. */
export function getEmailKey(email: string): string {
  return `log-in:email:${email.trim()}`;
}
