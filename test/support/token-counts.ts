import type { TokenCounts } from "../../src/domain/prices/price.ts";

/** The tokens of a call; those left out are not said. */
export function tokenCounts(given: Partial<TokenCounts>): TokenCounts {
  return {
    ...{ input: null, cacheRead: null, cacheWrite: null, cacheWrite1h: null, output: null, reasoning: null },
    ...given,
  };
}
