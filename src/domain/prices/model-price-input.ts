import { z } from "zod";
import { explainAmount, parseAmount } from "../budgets/budget-amount.ts";
import { name, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { TokenKind } from "./price.ts";

/** The rates that a workspace's own prices have, in pico-dollars. Null: the rate of what it is part of. */
export type OwnRates = Record<"input" | "output", bigint> &
  Record<Exclude<TokenKind, "input" | "output" | "reasoning">, bigint | null>;

/** The provider of prices for every provider. */
export const ANY_PROVIDER = "*";

/** From when prices hold that always hold. */
export const ALWAYS = new Date(0);

const MOST_MICROS = BigInt(LIMITS.tokenPriceUsd) * 1_000_000n;

/** Dollars for a million tokens as text. A millionth of that is a pico-dollar for a token. */
const rate = z.string().transform((text, context) => {
  const pico = parseAmount("usd", text);
  if (pico !== null && pico <= MOST_MICROS) return pico;
  context.addIssue({ code: "custom", message: explainAmount("usd", { min: 0n, max: MOST_MICROS }) });
  return z.NEVER;
});

const optionalRate = rate.nullish().transform((pico) => pico ?? null);

const prices = z.strictObject({
  input: rate,
  output: rate,
  cacheRead: optionalRate,
  cacheWrite: optionalRate,
  cacheWrite1h: optionalRate,
}) satisfies z.ZodType<OwnRates>;

const tier = z.strictObject({
  aboveInputTokens: wholeNumber(LIMITS.tierTokens),
  prices,
});

/** A price of a workspace. */
export const modelPriceInput = z.strictObject({
  provider: name(LIMITS.providerLength)
    .nullish()
    .transform((provider) => provider?.toLowerCase() ?? ANY_PROVIDER),
  model: name(LIMITS.modelNameLength)
    .transform((model) => model.toLowerCase())
    .refine((model) => /^[^*]*\*?$/.test(model), "can have a * at its end only"),
  validFrom: z
    .date()
    .nullish()
    .transform((date) => date ?? ALWAYS),
  prices,
  tiers: z
    .array(tier)
    .max(LIMITS.priceTiers, `must have at most ${LIMITS.priceTiers} items`)
    .refine(
      (tiers) => new Set(tiers.map(({ aboveInputTokens }) => aboveInputTokens)).size === tiers.length,
      "must not have the same aboveInputTokens twice",
    )
    .nullish()
    .transform((tiers) => (tiers ?? []).toSorted((a, b) => a.aboveInputTokens - b.aboveInputTokens)),
});

/** A price to set. */
export type NewModelPrice = z.output<typeof modelPriceInput>;
