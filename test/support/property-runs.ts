import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** How many times as many cases property tests try, each run others. */
    propertyRuns?: number;
  }
}

/** The seed of every property test in the suite. */
const SEED = 20_260_701;

const times = inject("propertyRuns");

// The suite tries the same cases each time, so that what fails is what was changed. New ones are found by `npm run soak`.
if (times === undefined) fc.configureGlobal({ seed: SEED });

/** How many cases a property test tries: `count` in the suite, a multiple of it in `npm run soak`. */
export function runs(count: number): number {
  return count * (times ?? 1);
}
