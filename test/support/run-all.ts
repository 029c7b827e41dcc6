import type { Steps } from "../../src/domain/kernel/turns.ts";

/** Runs all steps at once. */
export function runAll<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
