import { availableParallelism } from "node:os";
import { DomainError } from "../domain/kernel/errors.ts";
import { LIMITS } from "../domain/kernel/limits.ts";

/** Hashes and verifies passwords, a few at a time, in fair turns between the callers named by `by`. */
export type PasswordHasher = {
  /** The minimum length of a new password in code points. */
  min: number;
  hash: (password: string, by?: string) => Promise<string>;
  verify: (hash: string, password: string, by?: string) => Promise<boolean>;
};

/** Leaves a core to what answers requests: with all of them at passwords, everybody waits for a flood of log-ins. */
export const HASHES_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1));

/**
 * Each hash takes 19 MiB and about 20 ms of a core. So at most `atOnce` run, `waiting` queue in all, and
 * `waitingEach` per caller. Beyond that both functions throw DomainError unavailable.
 */
export function createPasswordHasher({
  atOnce = HASHES_AT_ONCE,
  waiting = 256,
  waitingEach = 64,
  min = LIMITS.passwordLength.min,
}: { atOnce?: number; waiting?: number; waitingEach?: number; min?: number } = {}): PasswordHasher {
  let running = 0;
  const turns = createTurns({ most: waiting, mostEach: waitingEach });

  async function limited<Result>(by: string, work: () => Promise<Result>): Promise<Result> {
    // A finished hash passes its slot on, so that `running` stays the same.
    if (running >= atOnce) await turns.wait(by);
    else running++;
    try {
      return await work();
    } finally {
      if (!turns.next()) running--;
    }
  }

  return {
    min,
    hash: (password, by = "") => limited(by, async () => (await loadArgon2id()).hashArgon2id(password)),
    verify: (hash, password, by = "") =>
      limited(by, async () => (await loadArgon2id()).verifyArgon2id(hash, password)),
  };
}

/** Loaded with the first password: most commands need none. */
async function loadArgon2id() {
  return import("./vendor/oslo.ts");
}

/** A queue per caller, served in turn. */
function createTurns({ most, mostEach }: { most: number; mostEach: number }) {
  const lines = new Map<string, (() => void)[]>();
  let count = 0;

  function wait(by: string): Promise<void> {
    const line = lines.get(by) ?? [];
    if (count >= most || line.length >= mostEach) {
      throw new DomainError("unavailable", "Too many log-ins at the moment. Try again in a few seconds.");
    }
    count++;
    lines.set(by, line);
    return new Promise((resolve) => line.push(resolve));
  }

  /** @returns whether a caller was waiting and has been given a turn. */
  function next(): boolean {
    const [first] = lines;
    if (first === undefined) return false;
    const [by, line] = first;
    // Moves the caller to the end of the round.
    lines.delete(by);
    const go = line.shift();
    if (line.length > 0) lines.set(by, line);
    count--;
    go?.();
    return true;
  }

  return { wait, next };
}
