import type { CostSource } from "../../db/generated/enums.ts";
import { computeCallCost } from "../prices/call-cost.ts";
import { findPrice } from "../prices/find-price.ts";
import type { ListPrices } from "../prices/own-prices.ts";
import { formatPico } from "../prices/pico-dollars.ts";
import type { TokenCounts } from "../prices/price.ts";
import type { Usage } from "./dialects/read-usage.ts";

/** What a span's calls cost: dollars as text, or null if nobody knows. */
export type SpanCost = { costUsd: string | null; costSource: CostSource | null; priceId: string | null };

/** A call as far as its price depends on it. */
export type PricedCall = {
  provider: string | null;
  model: string | null;
  startedAtUs: number;
  tokens: TokenCounts;
};

/** The cost of a span without usage. */
export const NO_COST: SpanCost = { costUsd: null, costSource: null, priceId: null };

/** Finds what a call cost: what its sender says, else what it is at the prices of its time. */
export function findSpanCost(
  listOwn: ListPrices,
  { usage, provider, model, startedAtUs }: Omit<PricedCall, "tokens"> & { usage: Usage | null },
): SpanCost {
  if (usage === null) return NO_COST;
  if (usage.costPico === null)
    return computeSpanCost(listOwn, { provider, model, startedAtUs, tokens: usage.tokens });
  return { costUsd: formatPico(usage.costPico), costSource: "sent", priceId: null };
}

/** Computes the cost of a call whose sender says none, at the prices of its time. */
export function computeSpanCost(listOwn: ListPrices, call: PricedCall): SpanCost {
  const { provider, model, startedAtUs, tokens } = call;
  const price =
    model === null ? null : findPrice(listOwn, { provider, model, at: new Date(startedAtUs / 1000) });
  const pico = price && computeCallCost(price, tokens);
  if (price === null || pico === null) return { costUsd: null, costSource: "none", priceId: null };
  return { costUsd: formatPico(pico), costSource: "price", priceId: price.id };
}
