import type { z } from "zod";
import { toColumnName } from "../../db/columns.ts";
import type { ModelPrice } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { type NewModelPrice, type OwnRates, modelPriceInput } from "./model-price-input.ts";
import { saveModelPrices } from "./save-model-prices.ts";
import { formatRates } from "./stored-price.ts";

/**
 * Sets what a model's calls cost from a date on: creates the price, or replaces that of the same provider, model and
 * date. Equal prices change nothing.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed, also if the workspace
 *   has too many prices.
 */
export async function setModelPrice(ctx: Ctx, input: z.input<typeof modelPriceInput>): Promise<ModelPrice> {
  requireSudo(ctx, "admin");
  const price = parseInput(modelPriceInput, input);
  const { provider, model, validFrom } = price;
  return ctx.transaction(async (tx) => {
    const [saved] = await saveModelPrices(tx, [price]);
    const name = { workspaceId: ctx.workspaceId, provider, model, validFrom };
    const where = { workspaceId_provider_model_validFrom: name };
    const row = await tx.db.modelPrice.findUniqueOrThrow({ where });
    if (saved === undefined) return row;
    const change = saved.isNew ? "model_price.created" : "model_price.updated";
    const data = { provider, model, generation: row.generation };
    const changes = { provider, model, valid_from: validFrom, ...describe(price) };
    append(tx, {
      events: [{ type: change, subjectType: "model_price", subjectId: row.id, data }],
      totals: [{ collection: "model_prices", to: null, ...(!saved.isNew && { from: null }) }],
      audit: [{ action: change, targetType: "model_price", targetId: row.id, changes }],
    });
    return row;
  });
}

/** What calls cost, as the audit log has it. */
function describe({ prices, tiers }: NewModelPrice) {
  return {
    ...toSnakeCase(prices),
    tiers: tiers.map(({ aboveInputTokens, prices: above }) => ({
      above_input_tokens: aboveInputTokens,
      ...toSnakeCase(above),
    })),
  };
}

function toSnakeCase(prices: OwnRates): Record<string, string | null> {
  const texts = Object.entries(formatRates(prices));
  return Object.fromEntries(texts.map(([kind, text]) => [toColumnName(kind), text ?? null]));
}
