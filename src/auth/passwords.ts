import { DomainError } from "../domain/errors.ts";
import { LIMITS } from "../domain/limits.ts";

/** Hashes and verifies passwords, a few at a time. */
export type PasswordHasher = {
  /** Code points that a new password has at least. */
  min: number;
  hash: (password: string) => Promise<string>;
  verify: (hash: string, password: string) => Promise<boolean>;
};

/**
 * Each hash takes 19 MiB and about 20 ms of a core, so no more than `atOnce` run and `waiting` queue.
 * Beyond that both throw DomainError unavailable.
 */
export function createPasswordHasher({
  atOnce = 4,
  waiting = 64,
  min = LIMITS.passwordLength.min,
}: { atOnce?: number; waiting?: number; min?: number } = {}): PasswordHasher {
  let running = 0;
  const queue: (() => void)[] = [];

  async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= atOnce) {
      if (queue.length >= waiting) {
        throw new DomainError("unavailable", "Too many log-ins at this moment. Try again in a few seconds.");
      }
      // Whoever ends hands its place on, so that `running` stays as it is.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  return {
    min,
    hash: (password) => limited(async () => (await loadArgon2id()).hashArgon2id(password)),
    verify: (hash, password) => limited(async () => (await loadArgon2id()).verifyArgon2id(hash, password)),
  };
}

/** With the first password: most commands see none. */
async function loadArgon2id() {
  return import("./vendor/oslo.ts");
}
