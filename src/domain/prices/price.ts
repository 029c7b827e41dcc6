/** Tokens by kind. `input` is the whole prompt, `cacheWrite` all that was written, `output` all that was made. */
export type TokenKind = "input" | "cacheRead" | "cacheWrite" | "cacheWrite1h" | "output" | "reasoning";

/** The tokens of one call. Null: not said. */
export type TokenCounts = Readonly<Record<TokenKind, bigint | null>>;

/** What one token costs, in pico-dollars (1e-12 US dollars). Null: not known. */
export type TokenRates = Readonly<Record<TokenKind, bigint | null>>;

/** What the calls of a model cost. */
export type Price = {
  /** A workspace's own price has a UUID; a shipped one its provider, model and first day. */
  id: string;
  /** Null: always. */
  validFrom: Date | null;
  /** Seconds of the day in UTC; may pass midnight. Null: all day. */
  hours: { start: number; end: number } | null;
  rates: TokenRates;
  /** Other rates for all tokens of a call whose prompt is larger, from the smallest on. */
  tiers: readonly { aboveInputTokens: bigint; rates: TokenRates }[];
  /** For each call, in pico-dollars. */
  perCall: bigint;
};

/** Rates as they are given: those left out are the rates of the kind that they are part of. */
export function completeRates(given: Partial<TokenRates>): TokenRates {
  const { input = null, output = null } = given;
  const cacheWrite = given.cacheWrite ?? input;
  return {
    input,
    output,
    cacheWrite,
    cacheRead: given.cacheRead ?? input,
    cacheWrite1h: given.cacheWrite1h ?? cacheWrite,
    reasoning: given.reasoning ?? output,
  };
}

/** Whether a price holds at an instant. */
export function appliesAt({ validFrom, hours }: Pick<Price, "validFrom" | "hours">, at: Date): boolean {
  if (validFrom !== null && at < validFrom) return false;
  if (hours === null) return true;
  const second = (at.getTime() / 1000) % SECONDS_OF_DAY;
  return hours.start <= hours.end
    ? second >= hours.start && second < hours.end
    : second >= hours.start || second < hours.end;
}

const SECONDS_OF_DAY = 86_400;
