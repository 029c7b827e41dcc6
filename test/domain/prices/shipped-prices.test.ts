import {
  type ConditionalPrice,
  type ModelInfo,
  type Provider,
  type TieredPrices,
  calcPrice,
  waitForUpdate,
} from "@pydantic/genai-prices";
import { describe, expect, it } from "vitest";
import { computeCallCost } from "../../../src/domain/prices/call-cost.ts";
import { type Price, type TokenCounts, appliesAt } from "../../../src/domain/prices/price.ts";
import { findProviderId } from "../../../src/domain/prices/provider-id.ts";
import { listShippedPrices } from "../../../src/domain/prices/shipped-prices.ts";
import { tokenCounts } from "../../support/token-counts.ts";

const AT = new Date("2026-11-23T12:00:00Z");

const providers = (await waitForUpdate()) ?? [];
const models = providers.flatMap((provider) => provider.models.map((model) => ({ provider, model })));

const SMALL_CALLS = [
  { input: 1000n, output: 77n },
  { input: 130n, cacheRead: 100n, cacheWrite: 20n, output: 5n },
  { input: 4000n, cacheRead: 1n, cacheWrite: 3000n, cacheWrite1h: 1000n, output: 900n, reasoning: 400n },
];

/** Below, at and above where the package's tiers begin. */
const LARGE_CALLS = [128_000n, 200_000n, 272_000n, 512_000n].flatMap((size) =>
  [size - 1n, size, size + 1n].map((input) => ({ input, cacheRead: 100_000n, output: 3n })),
);

function priceOf(provider: string | null, model: string, at = AT) {
  return listShippedPrices(findProviderId(provider), model).find((price) => appliesAt(price, at)) ?? null;
}

function costOf(price: Price | null, tokens: Partial<TokenCounts>) {
  return price && computeCallCost(price, tokenCounts(tokens));
}

/** A day before, on and after each day from which a price holds, and the bounds of times of day. */
function listInstants({ prices }: ModelInfo): Date[] {
  if (!Array.isArray(prices)) return [AT];
  const times = prices.flatMap(({ constraint }) => {
    if (constraint === undefined) return [];
    if (constraint.type === "start_date") return [Date.parse(constraint.start_date)];
    return [constraint.start_time, constraint.end_time].map((time) => Date.parse(`2026-11-23T${time}`));
  });
  return times.flatMap((time) => [time - 1, time, time + 1]).map((time) => new Date(time));
}

function listRates({ prices }: ModelInfo): (number | TieredPrices)[] {
  const dated: ConditionalPrice[] = Array.isArray(prices) ? prices : [{ prices }];
  return dated.flatMap((price) => Object.values(price.prices).filter((rate) => rate !== undefined));
}

/** Whether each token costs whole pico-dollars; some of the package's prices are the twelfth of a dollar. */
function isWhole(model: ModelInfo): boolean {
  return listRates(model).every(
    (rate) => typeof rate === "object" || Math.abs(rate * 1e6 - Math.round(rate * 1e6)) < 1e-6,
  );
}

function toUsage(tokens: TokenCounts): Record<string, number> {
  return {
    input_tokens: Number(tokens.input),
    output_tokens: Number(tokens.output),
    cache_read_tokens: Number(tokens.cacheRead),
    cache_write_tokens: Number(tokens.cacheWrite),
    cache_write_1h_tokens: Number(tokens.cacheWrite1h),
    output_reasoning_tokens: Number(tokens.reasoning),
  };
}

/** The costs of calls of a model at all times when its price changes: the package's, and ours. */
function listCosts(provider: Provider, model: ModelInfo) {
  const isTiered = listRates(model).some((rate) => typeof rate === "object");
  const calls = isTiered ? [...SMALL_CALLS, ...LARGE_CALLS] : SMALL_CALLS;
  return listInstants(model).flatMap((timestamp) =>
    calls.map((given) => {
      const tokens = tokenCounts(given);
      const options = { providerId: provider.id, timestamp };
      const { total_price: total, model_price: rates } = calcPrice(toUsage(tokens), model.id, options) ?? {};
      return {
        model: `${provider.id}/${model.id}`,
        hasTokenPrice: rates?.["input_mtok"] !== undefined && rates["output_mtok"] !== undefined,
        theirs: total === undefined ? null : BigInt(Math.round(total * 1e12)),
        ours: costOf(priceOf(provider.id, model.id, timestamp), tokens),
      };
    }),
  );
}

describe("listShippedPrices", () => {
  it("costs each model's calls what the package reckons, to the pico-dollar", () => {
    const whole = models.filter(({ model }) => isWhole(model));
    expect(models.length - whole.length).toBeLessThan(10);
    const costs = whole.flatMap(({ provider, model }) => listCosts(provider, model));
    const priced = costs.filter(({ hasTokenPrice }) => hasTokenPrice);
    expect(priced.length).toBeGreaterThan(4000);
    expect(priced.filter(({ ours, theirs }) => ours !== theirs)).toEqual([]);
  });

  it("has no cost, instead of none, for tokens whose price is not known", () => {
    const costs = models
      .flatMap(({ provider, model }) => listCosts(provider, model))
      .filter(({ hasTokenPrice, model }) => !hasTokenPrice && !model.endsWith(":free"));
    expect(costs.filter(({ ours }) => ours !== null)).toEqual([]);
    expect(costOf(priceOf("openai", "text-embedding-3-small"), { input: 1_000_000n })).toBe(20_000_000_000n);
    expect(costOf(priceOf("openai", "text-embedding-3-small"), { input: 1n, output: 1n })).toBeNull();
    expect(costOf(priceOf("openrouter", "openai/gpt-oss-20b:free"), { input: 10n, output: 10n })).toBe(0n);
  });

  it("finds models by the names that providers and clients send", () => {
    const found = NAMES.map(([provider, model]) => priceOf(provider, model)?.id ?? null);
    expect(found).toEqual(NAMES.map(([, , id]) => id));
  });

  it("finds nothing for models that somebody else runs, and for endless names", () => {
    const names = [
      ["ollama", "gpt-5"],
      ["litellm", "ollama/deepseek-r1"],
      ["anthropic", "claude-of-tomorrow"],
      ["constructor", "__proto__"],
      [null, ""],
      [null, `claude-opus-4-8${"-".repeat(1_000_000)}`],
      ["x".repeat(1_000_000), "claude-opus-4-8"],
      ["aws", `us.${"[".repeat(200)}`],
      ["aws", `us.${"/models".repeat(1_000_000)}`],
    ] as const;
    expect(names.map(([provider, model]) => priceOf(provider, model))).toEqual(names.map(() => null));
  });

  it("takes the price of the time of day", () => {
    const [cheap, dear] = ["T00:29:59Z", "T00:30:00Z"].map((time) =>
      priceOf("deepseek", "deepseek-chat", new Date(`2026-11-23${time}`)),
    );
    expect([cheap?.id, dear?.id]).toEqual(["deepseek/deepseek-chat", "deepseek/deepseek-chat@00:30:00Z"]);
  });
});

/** What is sent as provider and model, and the price that it has. */
const NAMES = [
  ["anthropic", "claude-opus-5[1m]", "anthropic/claude-opus-5"],
  ["anthropic", "claude-haiku-4-5-20251001", "anthropic/claude-haiku-4-5"],
  [null, "claude-opus-4-8", "anthropic/claude-opus-4-8"],
  ["litellm", "anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"],
  [
    ...["aws.bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"],
    "aws/regional.anthropic.claude-sonnet-4-5-20250929-v1:0",
  ],
  ["aws.bedrock", "global.anthropic.claude-opus-4-8-v1", "aws/global.anthropic.claude-opus-4-8-v1:0"],
  ["gcp.vertex_ai", "claude-sonnet-4-5@20250929", "google/claude-sonnet-4-5"],
  ["gcp.gen_ai", "models/gemini-2.5-pro", "google/gemini-2.5-pro"],
  ["gcp.gemini", "publishers/google/models/gemini-2.5-pro", "google/gemini-2.5-pro"],
  ["google", "gemini-2.5-pro-preview-05-06", "google/gemini-2.5-pro"],
  ["openai", "gpt-4o-2024-08-06", "openai/gpt-4o"],
  ["openai", "gpt-5.5-2026-01-01", "openai/gpt-5.5"],
  ["azure.ai.openai", "gpt-4o", "azure/gpt-4o"],
  ["OpenAI", "GPT-4o", "openai/gpt-4o"],
  ["x_ai", "grok-4.5", "x-ai/grok-4.5"],
  ["mistral_ai", "mistral-large-latest", "mistral/mistral-large"],
] as const satisfies [string | null, string, string][];
