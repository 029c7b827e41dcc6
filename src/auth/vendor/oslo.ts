import { generateHOTP } from "oslo/otp";
import { Argon2id } from "oslo/password";

/** OWASP's minimum for Argon2id: 19 MiB of memory, two passes, one lane. It normalizes to NFKC itself. */
const argon2id = new Argon2id({ memorySize: 19_456, iterations: 2, parallelism: 1 });

/** Hashes a password to a PHC string, which includes salt and cost. */
export async function hashArgon2id(password: string): Promise<string> {
  return argon2id.hash(password);
}

/** Verifies a password against a PHC string. Returns false for a hash that can't be parsed. */
export async function verifyArgon2id(hash: string, password: string): Promise<boolean> {
  try {
    return await argon2id.verify(hash, password);
  } catch {
    return false;
  }
}

/**
 * Makes the code of six digits for a counter.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4226#section-5.3
 */
export async function makeHotp(secret: Uint8Array, counter: number): Promise<string> {
  return generateHOTP(secret, counter, 6);
}
