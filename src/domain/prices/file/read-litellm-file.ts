import { z } from "zod";
import { type Price, type TokenKind, type TokenRates, completeRates } from "../price.ts";
import { findProviderId } from "../provider-id.ts";
import type { FilePrice } from "./file-price.ts";

/** The file of LiteLLM, `model_prices_and_context_window.json`. @see https://github.com/BerriAI/litellm */
export const litellmFile = z.record(z.string(), z.looseObject({ litellm_provider: z.string().optional() }));

const KEYS: Readonly<Partial<Record<TokenKind, string>>> = {
  input: "input_cost_per_token",
  output: "output_cost_per_token",
  cacheRead: "cache_read_input_token_cost",
  cacheWrite: "cache_creation_input_token_cost",
  cacheWrite1h: "cache_creation_input_token_cost_above_1hr",
  reasoning: "output_cost_per_reasoning_token",
};

/** The entry that explains the others. */
const SAMPLE = "sample_spec";

/** Lists the prices of all models. */
export function readLitellmFile(models: z.output<typeof litellmFile>): FilePrice[] {
  return Object.entries(models).flatMap(([name, { litellm_provider: provider, ...entry }]) => {
    if (name === SAMPLE || provider === undefined) return [];
    return [{ provider, model: withoutProvider(name, provider), price: toPrice(entry) }];
  });
}

/** Many names begin with their provider: `bedrock/us-east-1/…`. */
function withoutProvider(name: string, provider: string): string {
  const end = name.indexOf("/");
  const isNamed = end > 0 && findProviderId(name.slice(0, end)) === findProviderId(provider);
  return isNamed ? name.slice(end + 1) : name;
}

function toPrice(entry: Record<string, unknown>): Price | string {
  const base = readRates(entry, "");
  if (base.input === undefined && base.output === undefined) return "has no price for tokens";
  const tiers = new Set(Object.keys(entry).map((key) => TIER.exec(key)?.[1] ?? ""));
  return {
    id: "",
    validFrom: null,
    hours: null,
    perCall: 0n,
    rates: completeRates(base),
    tiers: [...tiers]
      .filter((thousands) => thousands !== "")
      .map((thousands) => ({
        aboveInputTokens: BigInt(thousands) * 1000n,
        rates: completeRates({ ...base, ...readRates(entry, `_above_${thousands}k_tokens`) }),
      })),
  };
}

const TIER = /_above_(\d{1,6})k_tokens$/;
const PICO = 1e12;
/** Above all that a price may be, below what is exact. */
const MOST_DOLLARS = 1000;

function readRates(entry: Record<string, unknown>, suffix: string): Partial<TokenRates> {
  const given = Object.entries(KEYS).flatMap(([kind, key]) => {
    const dollars = entry[`${key}${suffix}`];
    if (typeof dollars !== "number" || !(dollars >= 0 && dollars <= MOST_DOLLARS)) return [];
    return [[kind, BigInt(Math.round(dollars * PICO))]];
  });
  // Its names are those of KEYS.
  return Object.fromEntries(given) as Partial<TokenRates>;
}
