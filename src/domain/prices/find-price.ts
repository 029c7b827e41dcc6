import { type ListPrices, findHolding } from "./own-prices.ts";
import { type Price, appliesAt } from "./price.ts";
import { findProviderId } from "./provider-id.ts";
import { listShippedPrices } from "./shipped-prices.ts";

/** What a call says about its model. */
export type ModelCall = { provider: string | null; model: string; at: Date };

/**
 * Finds what a call costs: the workspace's own price, else the one that comes with the program.
 *
 * @returns null if there is none: then nobody knows, which is not free.
 */
export function findPrice(listOwn: ListPrices, { provider, model, at }: ModelCall): Price | null {
  const id = findProviderId(provider);
  const own = findHolding(listOwn(id, model), at);
  return own ?? listShippedPrices(id, model).find((price) => appliesAt(price, at)) ?? null;
}
