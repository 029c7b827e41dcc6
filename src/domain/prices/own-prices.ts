import { LRUCache } from "lru-cache";
import { ANY_PROVIDER } from "./model-price-input.ts";
import { listModelNames } from "./model-names.ts";
import { type Price, appliesAt } from "./price.ts";
import { findProviderId } from "./provider-id.ts";

/** A price, and whose calls it is for. */
export type NamedPrice = { provider: string; model: string; price: Price };

/**
 * Lists prices of a model, those of each name together, the newest first. Of those that hold, the first applies: {@link
 * findHolding}.
 */
export type ListPrices = (providerId: string | null, model: string) => readonly (readonly Price[])[];

/** The most models, and names with prices of them, that an index remembers. */
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
  const found = new LRUCache<string, ReturnType<ListPrices>>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: ({ length }) => length + 1,
  });
  return (providerId, model) => {
    const names = prices.length === 0 ? [] : listModelNames(model);
    if (names.length === 0) return [];
    const key = writeKey(providerId, model);
    const known =
      found.get(key) ??
      listKeys(providerId, names, lengths)
        .map((one) => byKey.get(one) ?? [])
        .filter(({ length }) => length > 0);
    found.set(key, known);
    return known;
  };
}

/** Finds the first price that holds at an instant, at a cost that hardly depends on how many there are. */
export function findHolding(lists: ReturnType<ListPrices>, at: Date): Price | null {
  for (const prices of lists) {
    let [first, end] = [0, prices.length];
    while (first < end) {
      const middle = (first + end) >>> 1;
      const price = prices[middle];
      if (price !== undefined && appliesAt(price, at)) end = middle;
      else first = middle + 1;
    }
    const found = prices[first];
    if (found !== undefined) return found;
  }
  return null;
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
