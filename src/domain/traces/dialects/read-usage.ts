import type { TokenCounts, TokenKind } from "../../prices/price.ts";
import type { Dialect, Keys } from "./dialect.ts";

/** What a span says that it used. Costs are in pico-dollars. */
export type Usage = {
  tokens: TokenCounts;
  /** What the sender says that it cost. */
  costPico: bigint | null;
  /** Whether a number is none that a call has, so that none of them counts. */
  isRejected: boolean;
};

/** Finds an attribute's value; undefined if it is not there. */
export type FindValue = (keys: Keys) => unknown;

/** No call has more: sums of them stay within 64 bits. */
const MOST_TOKENS = 1_000_000_000_000;
const MOST_DOLLARS = 1_000_000;
const PICO_DIGITS = 12;

const NO_TOKENS: TokenCounts = {
  input: null,
  cacheRead: null,
  cacheWrite: null,
  cacheWrite1h: null,
  output: null,
  reasoning: null,
};

/** Reads tokens and cost. @returns null if the span says nothing of them. */
export function readUsage(dialect: Dialect, find: FindValue): Usage | null {
  let isRejected = false;
  function count(kind: TokenKind): bigint | null {
    const read = toTokens(find(dialect.tokens[kind]));
    if (read !== "invalid") return read;
    isRejected = true;
    return null;
  }
  const said: TokenCounts = {
    input: count("input"),
    cacheRead: count("cacheRead"),
    cacheWrite: count("cacheWrite"),
    cacheWrite1h: count("cacheWrite1h"),
    output: count("output"),
    reasoning: count("reasoning"),
  };
  const cost = readCost(dialect, find);
  if (isRejected || cost === "invalid") return { tokens: NO_TOKENS, costPico: null, isRejected: true };
  if (cost === null && Object.values(said).every((tokens) => tokens === null)) return null;
  return { tokens: includeCached(said, dialect.isInputExclusive), costPico: cost, isRejected: false };
}

/** Makes `input` the whole prompt, and `cacheWrite` all that was written. */
function includeCached(said: TokenCounts, isInputExclusive: boolean | null): TokenCounts {
  const cached = (said.cacheRead ?? 0n) + (said.cacheWrite ?? 0n);
  const isExclusive = isInputExclusive ?? cached > (said.input ?? 0n);
  return isExclusive && cached > 0n ? { ...said, input: (said.input ?? 0n) + cached } : said;
}

function readCost({ cost }: Dialect, find: FindValue): bigint | "invalid" | null {
  for (const { key, unitPico } of cost) {
    const read = toCostPico(find([key]), unitPico);
    if (read !== null) return read;
  }
  return null;
}

/** Reads a cost in units of so many pico-dollars. */
export function toCostPico(value: unknown, unitPico: bigint): bigint | "invalid" | null {
  const number = toNumber(value);
  if (number === null) return null;
  const dollars = number * (Number(unitPico) / 10 ** PICO_DIGITS);
  if (!(dollars >= 0 && dollars <= MOST_DOLLARS)) return "invalid";
  // Exact for micro-dollars; to the pico-dollar for what a double says of dollars.
  return Number.isSafeInteger(number)
    ? BigInt(number) * unitPico
    : BigInt(dollars.toFixed(PICO_DIGITS).replace(".", ""));
}

/** Tokens come as numbers, and as text where senders or JSON write large integers so. */
export function toTokens(value: unknown): bigint | "invalid" | null {
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
