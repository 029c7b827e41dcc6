import { type Hit, addressKey, clearHits, giveBack, takeHit } from "../../domain/kernel/throttle.ts";
import type { ClientInfo } from "./client-info.ts";
import type { SessionServices } from "./session-services.ts";

const FAILURES_PER_EMAIL = 10;
const FAILURES_PER_ADDRESS = 30;

/**
 * Counts a log-in before the password is verified: otherwise many concurrent attempts would all pass.
 *
 * @returns null after 30 failures from one IP address; `address` is null after ten for the email address.
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

/** Removes an attempt from the count if it did not fail, or if its outcome is unknown. */
export async function uncountAttempt(
  services: SessionServices,
  { place, address }: { place: Hit; address: Hit | null },
): Promise<void> {
  await giveBack(services, place);
  if (address !== null) await giveBack(services, address);
}

/** Resets the failures of an email address, and removes this attempt from the count. */
export async function forgetFailures(services: SessionServices, email: string, place: Hit): Promise<void> {
  await clearHits(services, getEmailKey(email));
  await giveBack(services, place);
}

/** The key under which failed log-ins for an email address are counted. */
export function getEmailKey(email: string): string {
  return `log-in:email:${email.trim()}`;
}
