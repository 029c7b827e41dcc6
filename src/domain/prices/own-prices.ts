import { LRUCache } from "lru-cache";
import { ANY_PROVIDER } from "./model-price-input.ts";
import { listModelNames } from "./model-names.ts";
import type { Price } from "./price.ts";
import { findProviderId } from "./provider-id.ts";

/** A price, and whose calls it is for. */
export type NamedPrice = { provider: string; model: string; price: Price };

/** Lists prices of a model. Of those that hold, the first applies. */
export type ListPrices = (providerId: string | null, model: string) => readonly Price[];

/** Models whose prices an index remembers. */
const MOST_MODELS = 1000;

/**
 * Finds prices by their names: those for the whole name before those for its beginning, then those for its provider
 * before those for all, then by date. What is looked up depends on the length of the name only.
 *
 * @param prices the newest first.
 */
export function indexPrices(prices: readonly NamedPrice[]): ListPrices {
  const byKey = new Map<string, Price[]>();
  for (const { provider, model, price } of prices) {
    const key = writeKey(provider === ANY_PROVIDER ? ANY_PROVIDER : findProviderId(provider), model);
    const sameKey = byKey.get(key);
    if (sameKey === undefined) byKey.set(key, [price]);
    else sameKey.push(price);
  }
  const found = new LRUCache<string, readonly Price[]>({ max: MOST_MODELS });
  return (providerId, model) => {
    const names = prices.length === 0 ? [] : listModelNames(model);
    if (names.length === 0) return [];
    const key = writeKey(providerId, model);
    const known = found.get(key) ?? listKeys(providerId, names).flatMap((one) => byKey.get(one) ?? []);
    found.set(key, known);
    return known;
  };
}

function listKeys(providerId: string | null, names: readonly string[]): string[] {
  const longest = Math.max(...names.map((name) => name.length));
  const beginnings = Array.from({ length: longest + 1 }, (_, less) =>
    names.filter((name) => name.length >= longest - less).map((name) => `${name.slice(0, longest - less)}*`),
  );
  return [...names, ...new Set(beginnings.flat())].flatMap((name) => [
    writeKey(providerId, name),
    writeKey(ANY_PROVIDER, name),
  ]);
}

function writeKey(providerId: string | null, model: string): string {
  return `${providerId ?? ""}\n${model}`;
}
