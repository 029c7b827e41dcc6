import type { Price, TokenCounts, TokenKind } from "./price.ts";

/**
 * Computes what a call costs, in pico-dollars.
 *
 * @returns null if the price does not say what some of its tokens cost.
 */
export function computeCallCost({ rates: base, tiers, perCall }: Price, tokens: TokenCounts): bigint | null {
  function count(kind: TokenKind): bigint {
    return tokens[kind] ?? 0n;
  }
  const rates = tiers.findLast(({ aboveInputTokens }) => count("input") > aboveInputTokens)?.rates ?? base;
  const parts: [tokens: bigint, rate: bigint | null][] = [
    [count("input") - count("cacheRead") - count("cacheWrite"), rates.input],
    [count("cacheRead"), rates.cacheRead],
    [count("cacheWrite") - count("cacheWrite1h"), rates.cacheWrite],
    [count("cacheWrite1h"), rates.cacheWrite1h],
    [count("output") - count("reasoning"), rates.output],
    [count("reasoning"), rates.reasoning],
  ];
  // Parts that are larger than their whole leave nothing of it.
  const charged = parts.filter(([number]) => number > 0n);
  if (charged.some(([, rate]) => rate === null)) return null;
  return charged.reduce((sum, [number, rate]) => sum + number * (rate ?? 0n), perCall);
}
