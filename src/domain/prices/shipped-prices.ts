import { type ConditionalPrice, type ModelPrice, type TieredPrices, calcPrice } from "@pydantic/genai-prices";
import { LRUCache } from "lru-cache";
import { listModelNames } from "./model-names.ts";
import { type Price, type TokenKind, type TokenRates, completeRates } from "./price.ts";

/** The kinds of tokens in the package's prices, which are dollars for a million. */
const KEYS: Readonly<Record<TokenKind, string>> = {
  input: "input_mtok",
  cacheRead: "cache_read_mtok",
  cacheWrite: "cache_write_mtok",
  cacheWrite1h: "cache_write_1h_mtok",
  output: "output_mtok",
  reasoning: "output_reasoning_mtok",
};

/** Prices of models that were looked up: they hold nothing of a workspace. Many names have none. */
const FOUND = new LRUCache<string, readonly Price[]>({ max: 10_000 });

/**
 * Lists the shipped prices of a model, the one that holds last in time first. Most models have one price.
 *
 * @param providerId as findProviderId() returns it. Null: by the model's name alone.
 */
export function listShippedPrices(providerId: string | null, model: string): readonly Price[] {
  const names = listModelNames(model);
  if (names.length === 0) return [];
  const key = `${providerId ?? ""}\n${model}`;
  const known = FOUND.get(key);
  if (known !== undefined) return known;
  const prices = lookUp(providerId, names);
  FOUND.set(key, prices);
  return prices;
}

function lookUp(providerId: string | null, names: readonly string[]): readonly Price[] {
  for (const name of names) {
    // The package splits "anthropic/claude-opus-4-8" for this provider only.
    const found = calcPrice({}, name, { providerId: providerId ?? "litellm" });
    if (found !== null) return toPrices(found.provider.id, found.model);
  }
  return [];
}

/** Converts a model's prices. Of those that hold, the package takes the last. */
export function toPrices(
  providerId: string,
  { id, prices }: { id: string; prices: ConditionalPrice[] | ModelPrice },
): Price[] {
  const dated: ConditionalPrice[] = Array.isArray(prices) ? prices : [{ prices }];
  return dated
    .map((price) => toPrice(`${providerId}/${id}`, price))
    .filter((price) => price !== null)
    .toReversed();
}

/** Returns null for a price without tokens: of audio or pages, or one that nobody knows. */
function toPrice(name: string, { constraint, prices }: ConditionalPrice): Price | null {
  const isFree = Object.keys(prices).length === 0 && name.endsWith(":free");
  if (!isFree && prices["input_mtok"] === undefined && prices["output_mtok"] === undefined) return null;
  const starts = Object.values(prices).flatMap((price) =>
    typeof price === "object" ? price.tiers.map(({ start }) => start) : [],
  );
  const [day, hours] = [
    constraint?.type === "start_date" ? constraint.start_date : null,
    constraint?.type === "time_of_date" ? constraint : null,
  ];
  return {
    id: [name, day, hours?.start_time].filter((part) => typeof part === "string").join("@"),
    validFrom: day === null ? null : new Date(day),
    hours: hours && { start: toSecond(hours.start_time), end: toSecond(hours.end_time) },
    rates: isFree ? completeRates({ input: 0n, output: 0n }) : readRates(prices, 0),
    tiers: [...new Set(starts)]
      .toSorted((a, b) => a - b)
      .map((start) => ({ aboveInputTokens: BigInt(start), rates: readRates(prices, start + 1) })),
    perCall: toPico(selectTier(prices["requests_kcount"], 0) ?? 0, 1e9),
  };
}

/** The rates of a call with so many tokens in its prompt. */
function readRates(prices: ModelPrice, inputTokens: number): TokenRates {
  const given = Object.entries(KEYS).flatMap(([kind, key]) => {
    const dollars = selectTier(prices[key], inputTokens);
    return dollars === undefined ? [] : [[kind, toPico(dollars, 1e6)]];
  });
  // Its names are those of KEYS.
  return completeRates(Object.fromEntries(given) as Partial<TokenRates>);
}

function selectTier(price: number | TieredPrices | undefined, inputTokens: number): number | undefined {
  if (typeof price !== "object") return price;
  return price.tiers
    .toSorted((a, b) => a.start - b.start)
    .reduce((last, tier) => (inputTokens > tier.start ? tier.price : last), price.base);
}

/** `each` is how many pico-dollars one token or call costs for each dollar of the price. */
function toPico(dollars: number, each: number): bigint {
  return BigInt(Math.round(dollars * each));
}

/** Converts `16:30:00Z`; the package's times of day are in UTC. */
function toSecond(time: string): number {
  return (Date.parse(`1970-01-01T${time}`) / 1000 + 86_400) % 86_400;
}
