import type { Transaction } from "../kernel/context.ts";
import type { TokenCounts } from "../prices/price.ts";
import { computeSpanCost } from "./span-cost.ts";
import { TOKEN_COLUMNS } from "./span-columns.ts";
import { CORRECT_COSTS, type StoredUsage } from "./span-statements.ts";

/** Computes the costs of spans of one day again whose copies were merged. @returns all of them as they are now. */
export async function correctCosts(
  { ctx, run }: Transaction,
  day: string,
  used: readonly StoredUsage[],
): Promise<readonly StoredUsage[]> {
  if (!used.some(isMerged)) return used;
  const prices = await ctx.services.prices.get(ctx.workspaceId, run);
  const current = used.map((one) =>
    isMerged(one)
      ? { ...one, ...computeSpanCost(prices, { ...one, tokens: toTokenCounts(one.tokens) }) }
      : one,
  );
  const corrected = current.filter(({ costUsd }, at) => costUsd !== used[at]?.costUsd);
  if (corrected.length > 0) {
    await run(CORRECT_COSTS, [
      ...[ctx.workspaceId, day],
      ...[corrected.map(({ traceId }) => traceId), corrected.map(({ spanId }) => spanId)],
      ...[corrected.map(({ costUsd }) => costUsd), corrected.map(({ costSource }) => costSource)],
      corrected.map(({ priceId }) => priceId),
    ]);
  }
  return current;
}

function isMerged({ isCopy, costSource }: StoredUsage): boolean {
  return isCopy && costSource !== "sent";
}

/** Reads the tokens of stored usage. */
export function toTokenCounts(tokens: StoredUsage["tokens"]): TokenCounts {
  const counts = TOKEN_COLUMNS.map(([kind], at) => {
    const count = tokens[at] ?? null;
    return [kind, count === null ? null : BigInt(count)] as const;
  });
  // Its names are those of the columns.
  return Object.fromEntries(counts) as TokenCounts;
}
