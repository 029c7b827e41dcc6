import { formatAmount } from "../../domain/budgets/budget-amount.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { deleteModelPrice } from "../../domain/prices/delete-model-price.ts";
import { listModelPrices } from "../../domain/prices/list-model-prices.ts";
import { ALWAYS, ANY_PROVIDER } from "../../domain/prices/model-price-input.ts";
import type { Price, TokenRates } from "../../domain/prices/price.ts";
import { readEffectivePrice } from "../../domain/prices/read-effective-price.ts";
import { setModelPrice } from "../../domain/prices/set-model-price.ts";
import { formatRates, readRates, readTiers } from "../../domain/prices/stored-price.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { fromGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { toActorRecord } from "./actor.ts";

const TIER = "These prices are for all tokens of a call whose prompt has more tokens than this.";

const Rates = builder.objectRef<Partial<TokenRates>>("TokenPrices").implement({
  description: "US dollars for a million tokens, as `0.25`.",
  fields: (t) => ({
    input: t.string({ nullable: true, resolve: (rates) => formatRates(rates).input ?? null }),
    output: t.string({ nullable: true, resolve: (rates) => formatRates(rates).output ?? null }),
    cacheRead: t.string({ nullable: true, resolve: (rates) => formatRates(rates).cacheRead ?? null }),
    cacheWrite: t.string({ nullable: true, resolve: (rates) => formatRates(rates).cacheWrite ?? null }),
    cacheWrite1h: t.string({ nullable: true, resolve: (rates) => formatRates(rates).cacheWrite1h ?? null }),
  }),
});

const Tier = builder
  .objectRef<{ aboveInputTokens: number | bigint; rates: Partial<TokenRates> }>("PriceTier")
  .implement({
    description: TIER,
    fields: (t) => ({
      aboveInputTokens: t.int({ resolve: ({ aboveInputTokens }) => Number(aboveInputTokens) }),
      prices: t.field({ type: Rates, resolve: ({ rates }) => rates }),
    }),
  });

const ModelPrice = builder.prismaNode("ModelPrice", {
  ...workspaceNode,
  description:
    "What a model's calls cost in this workspace. It wins over the prices that come with the program.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    provider: t.string({
      nullable: true,
      description: "Null: whoever provides the model.",
      resolve: ({ provider }) => (provider === ANY_PROVIDER ? null : provider),
    }),
    model: t.exposeString("model", { description: "A name, or what names begin with and `*`." }),
    validFrom: t.field({
      type: "DateTime",
      nullable: true,
      description: "Null: always.",
      resolve: ({ validFrom }) => (new Date(validFrom) <= ALWAYS ? null : validFrom),
    }),
    prices: t.field({
      type: Rates,
      description: "A price that is null is that of `input`, for `cacheWrite1h` that of `cacheWrite`.",
      resolve: (price) => readRates(price),
    }),
    tiers: t.field({
      type: [Tier],
      description: "In order.",
      // A column of the row: nothing is read for it.
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ tiers }) => readTiers(tiers),
    }),
    updatedBy: t.field({ type: "Actor", resolve: (price) => toActorRecord(price.updatedBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const EffectivePrice = builder.objectRef<Price>("EffectivePrice").implement({
  description: "What a model's calls cost at a time.",
  fields: (t) => ({
    priceId: t.exposeString("id", {
      description:
        "The uuid of the workspace's own price; else provider and model in the prices that come with the program.",
    }),
    prices: t.field({ type: Rates, resolve: ({ rates }) => rates }),
    tiers: t.field({
      type: [Tier],
      description: "In order.",
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ tiers }) => [...tiers],
    }),
    perCall: t.string({
      description: "US dollars for each call, besides its tokens.",
      resolve: ({ perCall }) => formatAmount("usd", perCall / 1_000_000n),
    }),
  }),
});

const ModelPriceFilter = builder.inputType("ModelPriceFilter", {
  fields: (t) => ({ provider: t.string() }),
});

const RatesInput = builder.inputType("TokenPricesInput", {
  description: `US dollars for a million tokens, as \`0.25\`: at most ${LIMITS.tokenPriceUsd}, with at most 6 decimal places.`,
  fields: (t) => ({
    input: t.string({ required: true }),
    output: t.string({ required: true }),
    cacheRead: t.string({ description: "Default: as `input`." }),
    cacheWrite: t.string({ description: "Default: as `input`." }),
    cacheWrite1h: t.string({ description: "Of what is kept for an hour. Default: as `cacheWrite`." }),
  }),
});

const TierInput = builder.inputType("PriceTierInput", {
  description: TIER,
  fields: (t) => ({
    aboveInputTokens: t.int({ required: true }),
    prices: t.field({ type: RatesInput, required: true }),
  }),
});

builder.queryFields((t) => ({
  modelPrices: t.connection({
    type: ModelPrice,
    description: "The workspace's own prices of models, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: ModelPriceFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listModelPrices(ctx, page, filter ?? {})),
  }),
  effectivePrice: t.field({
    type: EffectivePrice,
    nullable: true,
    description: "What calls of a model cost, by the names that clients report. Null if nobody knows.",
    args: {
      provider: t.arg.string(),
      model: t.arg.string({ required: true }),
      at: t.arg({ type: "DateTime", description: "Default: now." }),
    },
    resolve: (_root, call, ctx) => readEffectivePrice(ctx, call),
  }),
}));

builder.relayMutationField(
  "setModelPrice",
  {
    inputFields: (t) => ({
      provider: t.string({ description: "Default: whoever provides the model." }),
      model: t.string({
        required: true,
        description: "A name, or what names begin with and `*`. The price for the longest name is used.",
      }),
      validFrom: t.field({ type: "DateTime", description: "Default: always." }),
      prices: t.field({ type: RatesInput, required: true }),
      tiers: t.field({ type: [TierInput], description: `At most ${LIMITS.priceTiers}.` }),
    }),
  },
  {
    description:
      "Sets what a model's calls cost from a time on, or replaces that price. For admins who entered the password recently.",
    resolve: async (_root, { input: { clientMutationId: _id, ...price } }, ctx) => ({
      price: await setModelPrice(ctx, price),
    }),
  },
  { outputFields: (t) => ({ price: t.field({ type: ModelPrice, resolve: ({ price }) => price }) }) },
);

builder.relayMutationField(
  "deleteModelPrice",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Deletes a price. For admins who entered the password recently.",
    resolve: async (_root, { input: { id } }, ctx) => ({
      price: await deleteModelPrice(ctx, { id: fromGlobalId("id", "ModelPrice", id) }),
    }),
  },
  { outputFields: (t) => ({ price: t.field({ type: ModelPrice, resolve: ({ price }) => price }) }) },
);
