import { LRUCache } from "lru-cache";
import { ANY_PROVIDER } from "./model-price-input.ts";
import { listModelNames } from "./model-names.ts";
import type { Price } from "./price.ts";
import { findProviderId } from "./provider-id.ts";

/** A price, and whose calls it is for. */
export type NamedPrice = { provider: string; model: string; price: Price };

/** Lists prices of a model. Of those that hold, the first applies. */
export type ListPrices = (providerId: string | null, model: string) => readonly Price[];

/** The most models, and prices of them, that an index remembers. */
const MOST_REMEMBERED = 5000;

/**
 * Finds prices by their names: those for the whole name before those for its beginning, then those for its provider
 * before those for all, then by date. Of a name, only beginnings as long as those of prices are looked up.
 *
 * @param prices the newest first.
 */
export function indexPrices(prices: readonly NamedPrice[]): ListPrices {
  const byKey = new Map<string, Price[]>();
  const lengths = listLengths(prices);
  for (const { provider, model, price } of prices) {
    const key = writeKey(provider === ANY_PROVIDER ? ANY_PROVIDER : findProviderId(provider), model);
    const sameKey = byKey.get(key);
    if (sameKey === undefined) byKey.set(key, [price]);
    else sameKey.push(price);
  }
  const found = new LRUCache<string, readonly Price[]>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: ({ length }) => length + 1,
  });
  return (providerId, model) => {
    const names = prices.length === 0 ? [] : listModelNames(model);
    if (names.length === 0) return [];
    const key = writeKey(providerId, model);
    const known =
      found.get(key) ?? listKeys(providerId, names, lengths).flatMap((one) => byKey.get(one) ?? []);
    found.set(key, known);
    return known;
  };
}

/** The lengths of names' beginnings that have prices, the longest first. */
function listLengths(prices: readonly NamedPrice[]): number[] {
  const beginnings = prices.map(({ model }) => model).filter((model) => model.endsWith("*"));
  return [...new Set(beginnings.map(({ length }) => length - 1))].toSorted((one, other) => other - one);
}

function listKeys(providerId: string | null, names: readonly string[], lengths: readonly number[]): string[] {
  const beginnings = lengths.map((length) =>
    names.filter((name) => name.length >= length).map((name) => `${name.slice(0, length)}*`),
  );
  return [...names, ...new Set(beginnings.flat())].flatMap((name) => [
    writeKey(providerId, name),
    writeKey(ANY_PROVIDER, name),
  ]);
}

function writeKey(providerId: string | null, model: string): string {
  return `${providerId ?? ""}\n${model}`;
}
