import type { TokenCounts, TokenKind } from "../../prices/price.ts";
import type { Dialect, Keys } from "./dialect.ts";

/** What a span says that it used. Costs are in pico-dollars. */
export type Usage = {
  tokens: TokenCounts;
  /** What the sender says that it cost. */
  costPico: bigint | null;
  /** `odd`: the parts are more than their whole. `rejected`: a number that none can be, so none of them counts. */
  problem: "odd" | "rejected" | null;
};

/** Finds an attribute's value; undefined if it is not there. */
export type FindValue = (keys: Keys) => unknown;

/** No call has more: sums of them stay within 64 bits. */
const MOST_TOKENS = 1_000_000_000_000;
const MOST_DOLLARS = 1_000_000;
const PICO_DIGITS = 12;

const NO_TOKENS: TokenCounts = {
  ...{ input: null, cacheRead: null, cacheWrite: null, cacheWrite1h: null, output: null, reasoning: null },
};

/** Reads tokens and cost. @returns null if the span says nothing of them. */
export function readUsage(dialect: Dialect, find: FindValue): Usage | null {
  // Object.entries() loses the names' types.
  const kinds = Object.entries(dialect.tokens) as [TokenKind, Keys][];
  const read = kinds.map(([kind, keys]) => [kind, toTokens(find(keys))] as const);
  const cost = readCost(dialect, find);
  if (cost === null && read.every(([, count]) => count === null)) return null;
  if (cost === "invalid" || read.some(([, count]) => count === "invalid")) {
    return { tokens: NO_TOKENS, costPico: null, problem: "rejected" };
  }
  // Its names are those of the table.
  const said = Object.fromEntries(read) as TokenCounts;
  const tokens = includeCached(said, dialect.isInputExclusive);
  return { tokens, costPico: cost, problem: isOdd(tokens) ? "odd" : null };
}

/** Makes `input` the whole prompt, and `cacheWrite` all that was written. */
function includeCached(said: TokenCounts, isInputExclusive: boolean | null): TokenCounts {
  const cached = (said.cacheRead ?? 0n) + (said.cacheWrite ?? 0n);
  const isExclusive = isInputExclusive ?? cached > (said.input ?? 0n);
  return isExclusive && cached > 0n ? { ...said, input: (said.input ?? 0n) + cached } : said;
}

function isOdd({ input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning }: TokenCounts): boolean {
  return (
    (cacheRead ?? 0n) + (cacheWrite ?? 0n) > (input ?? 0n) ||
    (cacheWrite1h ?? 0n) > (cacheWrite ?? 0n) ||
    (reasoning ?? 0n) > (output ?? 0n)
  );
}

function readCost({ cost }: Dialect, find: FindValue): bigint | "invalid" | null {
  for (const { key, unitPico } of cost) {
    const value = find([key]);
    const number = toNumber(value);
    if (number === null) continue;
    const dollars = number * (Number(unitPico) / 10 ** PICO_DIGITS);
    if (!(dollars >= 0 && dollars <= MOST_DOLLARS)) return "invalid";
    // Exact for micro-dollars; to the pico-dollar for what a double says of dollars.
    return Number.isSafeInteger(number)
      ? BigInt(number) * unitPico
      : BigInt(dollars.toFixed(PICO_DIGITS).replace(".", ""));
  }
  return null;
}

/** Tokens come as numbers, and as text where senders or JSON write large integers so. */
function toTokens(value: unknown): bigint | "invalid" | null {
  const number = toNumber(value);
  if (number === null) return null;
  return Number.isInteger(number) && number >= 0 && number <= MOST_TOKENS ? BigInt(number) : "invalid";
}

/** Returns null for what is no number. NaN for text that is none: NaN and infinities are stored as text. */
function toNumber(value: unknown): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value === "" || value.length > MOST_DIGITS) return null;
  return Number(value);
}

const MOST_DIGITS = 40;
