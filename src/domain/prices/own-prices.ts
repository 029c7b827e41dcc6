import { LRUCache } from "lru-cache";
import { ANY_PROVIDER } from "./model-price-input.ts";
import { listModelNames } from "./model-names.ts";
import type { Price } from "./price.ts";
import { findProviderId } from "./provider-id.ts";

/** A price, and whose calls it is for. `read` is called when one of them is charged: few of many ever are. */
export type NamedPrice = { provider: string; model: string } & DatedPrice;

type DatedPrice = Pick<Price, "validFrom"> & { read: () => Price };

/**
 * Lists prices of a model, those of each name together, the newest first. Of those that hold, the first applies: {@link
 * findHolding}.
 */
export type ListPrices = (providerId: string | null, model: string) => readonly (readonly DatedPrice[])[];

/** The most models, and names with prices of them, that an index remembers. */
const MOST_REMEMBERED = 5000;

/**
 * Finds prices by their names: those for the whole name before those for its beginning, the longest first, then those
 * for its provider before those for all, then by date.
 *
 * @param prices the newest first.
 */
export function indexPrices(prices: readonly NamedPrice[]): ListPrices {
  const byKey = new Map<string, DatedPrice[]>();
  const listBeginnings = indexBeginnings(prices.map(({ model }) => model));
  for (const price of prices) {
    const { provider, model } = price;
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
      [...names, ...listBeginnings(names)]
        .flatMap((name) => [writeKey(providerId, name), writeKey(ANY_PROVIDER, name)])
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
      if (price !== undefined && holdsAt(price, at)) end = middle;
      else first = middle + 1;
    }
    const found = prices[first];
    if (found !== undefined) return found.read();
  }
  return null;
}

function holdsAt({ validFrom }: DatedPrice, at: Date): boolean {
  return validFrom === null || at >= validFrom;
}

/** Returns what lists the beginnings with prices that names have, at a cost that hardly depends on how many there are. */
function indexBeginnings(models: readonly string[]): (names: readonly string[]) => string[] {
  const starts = new Set(models.filter((model) => model.endsWith("*")).map((model) => model.slice(0, -1)));
  const sorted = [...starts].toSorted((one, other) => (one < other ? -1 : 1));
  /** The longest other one that each begins with. */
  const within = new Map<string, string>();
  const open: string[] = [];
  for (const start of sorted) {
    while (open.length > 0 && !start.startsWith(open.at(-1) ?? "")) open.pop();
    const outer = open.at(-1);
    if (outer !== undefined) within.set(start, outer);
    open.push(start);
  }
  return (names) => {
    const found = new Set<string>();
    for (const name of names) {
      // Whatever the name begins with, the last one up to it begins with too.
      let start = findLastUpTo(sorted, name);
      for (; start !== undefined; start = within.get(start)) if (name.startsWith(start)) found.add(start);
    }
    return [...found].toSorted((one, other) => other.length - one.length).map((start) => `${start}*`);
  };
}

function findLastUpTo(sorted: readonly string[], name: string): string | undefined {
  let [first, end] = [0, sorted.length];
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((sorted[middle] ?? "") <= name) first = middle + 1;
    else end = middle;
  }
  return sorted[first - 1];
}

function writeKey(providerId: string | null, model: string): string {
  return `${providerId ?? ""}\n${model}`;
}
