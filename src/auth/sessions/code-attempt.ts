import { DomainError } from "../../domain/kernel/errors.ts";
import {
  type Hit,
  type ThrottleServices,
  addressKey,
  giveBack,
  takeHit,
} from "../../domain/kernel/throttle.ts";
import type { ClientInfo } from "./client-info.ts";

/** Of a person, from one IP address. */
const FAILURES = 10;
/**
 * Of a person, from all IP addresses. An attacker with the password guesses a code of three among a million: within a
 * day with less than a hundredth's chance. The person, who is told by email, ends it by a new password.
 */
const FAILURES_PER_PERSON = 20;

/** Where a code is entered. Whoever has the password can't use up the tries of a logged-in person. */
type Place = "log-in" | "confirmation";

/**
 * Counts a code before it is verified. The count is the person's: a new log-in does not start it again, and a new
 * password neither.
 *
 * @returns what to give back if the code was right.
 * @throws {DomainError} rate_limited after ten wrong codes from one IP address within 15 minutes, and after twenty
 *   from everywhere.
 */
export async function countCode(
  services: ThrottleServices,
  { userId, place }: { userId: string; place: Place },
  { ip }: Pick<ClientInfo, "ip">,
): Promise<Hit[]> {
  const key = `code:${place}:${userId}`;
  const here = await takeHit(services, { key: `${key}:${addressKey(ip)}`, limit: FAILURES });
  if (here === null) throw createLimitError();
  const all = await takeHit(services, { key, limit: FAILURES_PER_PERSON });
  if (all === null) throw createLimitError();
  return [here, all];
}

/** Removes a code from the count if it was right. */
export async function uncountCode(services: ThrottleServices, hits: readonly Hit[]): Promise<void> {
  for (const hit of hits) await giveBack(services, hit);
}

function createLimitError(): DomainError {
  return new DomainError(
    "rate_limited",
    "Too many wrong codes. Try again in 15 minutes. If they were not yours, somebody knows your password: set a new one.",
  );
}
