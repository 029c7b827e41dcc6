import { Argon2id } from "oslo/password";

/** OWASP's least for Argon2id: 19 MiB of memory, two passes, one lane. It normalises to NFKC itself. */
const argon2id = new Argon2id({ memorySize: 19_456, iterations: 2, parallelism: 1 });

/** Hashes a password into a PHC string that carries its own salt and cost. */
export async function hashArgon2id(password: string): Promise<string> {
  return argon2id.hash(password);
}

/** Whether a password is the one that was hashed. A hash that can't be read matches nothing. */
export async function verifyArgon2id(hash: string, password: string): Promise<boolean> {
  try {
    return await argon2id.verify(hash, password);
  } catch {
    return false;
  }
}
