import { randomBytes, timingSafeEqual } from "node:crypto";
import { decodeBase32, encodeBase32 } from "./base32.ts";

/** How long a code is shown, in seconds. */
export const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** Steps before and after the current one whose codes are accepted, for clocks that differ. */
const WINDOW = [-1, 0, 1];

/** Creates the secret of an authenticator app: 160 random bits in base32. */
export function createTotpSecret(): string {
  return encodeBase32(randomBytes(SECRET_BYTES));
}

/**
 * The URI that authenticator apps read from a QR code.
 *
 * @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function toTotpUri(secret: string, { account, place }: { account: string; place: string }): string {
  // A colon would end the name of the place.
  const issuer = `Agent Ops (${place.replaceAll(":", " ")})`;
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=${STEP_SECONDS}`;
}

/**
 * Finds the step of which a code is. All are compared, so that the time tells nothing.
 *
 * @param code six digits.
 * @returns null if it is of none around this time.
 * @see https://www.rfc-editor.org/rfc/rfc6238#section-5.2
 */
export async function findTotpStep(secret: string, code: string, at: Date): Promise<number | null> {
  // Loaded with the first code: it brings the library for passwords.
  const { makeHotp } = await import("../vendor/oslo.ts");
  const current = Math.floor(at.getTime() / (STEP_SECONDS * 1000));
  const key = decodeBase32(secret);
  let found: number | null = null;
  for (const offset of WINDOW) {
    const expected = await makeHotp(key, current + offset);
    if (timingSafeEqual(Buffer.from(expected), Buffer.from(code))) found = current + offset;
  }
  return found;
}
