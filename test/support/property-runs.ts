import fc from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** How many times more cases property tests try, different ones in each run. */
    propertyRuns?: number;
  }
}

/** The seed of every property test. */
const SEED = 20_260_701;

const times = inject("propertyRuns");

// The suite always tries the same cases, so that a failure comes from a change. `npm run soak` tries new
// ones.
if (times === undefined) fc.configureGlobal({ seed: SEED });

/** The number of cases of a property test: `count`, or a multiple in `npm run soak`. */
export function runs(count: number): number {
  return count * (times ?? 1);
}
