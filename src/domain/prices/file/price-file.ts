import { createFieldError } from "../../kernel/errors.ts";
import { ALWAYS, type NewModelPrice, modelPriceInput } from "../model-price-input.ts";
import type { Price } from "../price.ts";
import { formatRates } from "../stored-price.ts";
import type { FilePrice } from "./file-price.ts";
import { genaiFile, readGenaiFile } from "./read-genai-file.ts";
import { litellmFile, readLitellmFile } from "./read-litellm-file.ts";

/** What of a file can be set as prices. */
export type PriceFile = {
  prices: NewModelPrice[];
  /** What can't, and why. */
  skipped: { provider: string; model: string; reason: string }[];
};

/**
 * Reads a file of prices: of genai-prices, or of LiteLLM.
 *
 * @throws {DomainError} validation_failed if it is neither.
 */
export function parsePriceFile(text: string): PriceFile {
  const prices = new Map<string, NewModelPrice>();
  const skipped: PriceFile["skipped"] = [];
  for (const { provider, model, price } of readPrices(text)) {
    const read = typeof price === "string" ? price : toNewPrice({ provider, model, price });
    if (typeof read === "string") skipped.push({ provider, model, reason: read });
    else if (!prices.has(getPriceKey(read))) prices.set(getPriceKey(read), read);
  }
  return { prices: [...prices.values()], skipped };
}

/** What a price is known by. */
export function getPriceKey({
  provider,
  model,
  validFrom,
}: Pick<NewModelPrice, "provider" | "model" | "validFrom">) {
  return JSON.stringify([provider, model, validFrom]);
}

function readPrices(text: string): FilePrice[] {
  const json = parseJson(text);
  const [genai, litellm] = [genaiFile.safeParse(json), litellmFile.safeParse(json)];
  if (genai.success) return readGenaiFile(genai.data);
  if (litellm.success) return readLitellmFile(litellm.data);
  throw createFieldError("file", "must be the JSON of genai-prices or of LiteLLM");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createFieldError("file", "must be JSON");
  }
}

/** Returns why a price can't be set, or the price. */
function toNewPrice({ provider, model, price }: { provider: string; model: string; price: Price }) {
  const { validFrom, hours, perCall, rates, tiers } = price;
  if (hours !== null) return "depends on the time of day";
  if (perCall !== 0n) return "is also for each call";
  if (rates.input === null || rates.output === null) return "has a price for one kind of tokens only";
  const parsed = modelPriceInput.safeParse({
    provider,
    model,
    validFrom: validFrom ?? ALWAYS,
    prices: toTexts(rates),
    tiers: tiers.map(({ aboveInputTokens, rates: above }) => ({
      aboveInputTokens: Number(aboveInputTokens),
      prices: toTexts(above),
    })),
  });
  if (parsed.success) return parsed.data;
  return parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`).join("; ");
}

function toTexts({ reasoning: _part, ...rates }: Price["rates"]) {
  return formatRates(rates);
}
