import type { ModelPrice } from "../../db/generated/client.ts";
import { formatAmount } from "../budgets/budget-amount.ts";
import { ALWAYS, type OwnRates } from "./model-price-input.ts";
import { type Price, type TokenKind, type TokenRates, completeRates } from "./price.ts";

/** The columns that say what calls cost. */
export type RateColumns = Pick<
  ModelPrice,
  "inputPico" | "outputPico" | "cacheReadPico" | "cacheWritePico" | "cacheWrite1hPico" | "tiers"
>;

type RateTexts = Record<keyof OwnRates, string | null>;

/** Reads a row as a price. */
export function toPrice({ id, validFrom, ...columns }: RateColumns & { id: string; validFrom: Date }): Price {
  return {
    id,
    validFrom: toValidFrom({ validFrom }),
    hours: null,
    rates: completeRates(readRates(columns)),
    tiers: readTiers(columns.tiers).map(({ aboveInputTokens, rates }) => ({
      aboveInputTokens: BigInt(aboveInputTokens),
      rates: completeRates(rates),
    })),
    perCall: 0n,
  };
}

/** Returns from when on a price holds; null for always. */
export function toValidFrom({ validFrom }: { validFrom: Date }): Date | null {
  return validFrom <= ALWAYS ? null : validFrom;
}

export function readRates(columns: Omit<RateColumns, "tiers">): OwnRates {
  return {
    input: columns.inputPico,
    output: columns.outputPico,
    cacheRead: columns.cacheReadPico,
    cacheWrite: columns.cacheWritePico,
    cacheWrite1h: columns.cacheWrite1hPico,
  };
}

/** Reads the tiers of a row. */
export function readTiers(stored: unknown): { aboveInputTokens: number; rates: OwnRates }[] {
  // Only saveModelPrices() writes this column.
  const tiers = stored as ({ aboveInputTokens: number } & RateTexts)[];
  return tiers.map(({ aboveInputTokens, ...texts }) => ({
    aboveInputTokens,
    rates: {
      input: BigInt(texts.input ?? 0),
      output: BigInt(texts.output ?? 0),
      cacheRead: parse(texts.cacheRead),
      cacheWrite: parse(texts.cacheWrite),
      cacheWrite1h: parse(texts.cacheWrite1h),
    },
  }));
}

function parse(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

/** Writes rates as dollars for a million tokens. */
export function formatRates(rates: Partial<TokenRates>): Partial<Record<TokenKind, string | null>> {
  return Object.fromEntries(
    Object.entries(rates).map(([kind, pico]) => [kind, pico === null ? null : formatAmount("usd", pico)]),
  );
}
