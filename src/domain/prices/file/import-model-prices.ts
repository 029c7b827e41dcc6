import { isDeepStrictEqual } from "node:util";
import type { Ctx } from "../../kernel/context.ts";
import { DomainError } from "../../kernel/errors.ts";
import { append } from "../../kernel/events.ts";
import { requireSudo } from "../../kernel/guard.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import type { NewModelPrice } from "../model-price-input.ts";
import { saveModelPrices } from "../save-model-prices.ts";
import { readRates, readTiers } from "../stored-price.ts";
import { getPriceKey } from "./price-file.ts";

/** What prices of a file change. */
export type PriceDiff = {
  added: NewModelPrice[];
  changed: { before: NewModelPrice; after: NewModelPrice }[];
  unchanged: number;
};

/**
 * Sets many prices: all of them, or none. The workspace's others stay.
 *
 * @param options.isTrial only says what it would change.
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed if the workspace would
 *   have too many prices.
 */
export async function importModelPrices(
  ctx: Ctx,
  prices: readonly NewModelPrice[],
  { isTrial }: { isTrial: boolean },
): Promise<PriceDiff> {
  requireSudo(ctx, "admin");
  if (prices.length > LIMITS.modelPrices) {
    throw new DomainError(
      "validation_failed",
      `The file has ${prices.length} prices. A workspace has at most ${LIMITS.modelPrices}: choose providers.`,
    );
  }
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const rows = await tx.db.modelPrice.findMany();
    const known = rows.map(({ provider, model, validFrom, tiers, ...rates }) => ({
      provider,
      model,
      validFrom,
      prices: readRates(rates),
      tiers: readTiers(tiers).map(({ aboveInputTokens, rates: above }) => ({
        aboveInputTokens,
        prices: above,
      })),
    }));
    const diff = compare(known, prices);
    const changes = [...diff.added, ...diff.changed.map(({ after }) => after)];
    if (isTrial || changes.length === 0) return diff;
    await saveModelPrices(tx, changes);
    const counts = { added: diff.added.length, changed: diff.changed.length };
    const change = "workspace.model_prices_imported";
    append(tx, {
      events: [{ type: change, subjectType: "workspace", subjectId: ctx.workspaceId, data: counts }],
      totals: [
        ...diff.added.map(() => ({ collection: "model_prices", to: null }) as const),
        ...diff.changed.map(() => ({ collection: "model_prices", from: null, to: null }) as const),
      ],
      audit: [{ action: change, targetType: "workspace", targetId: ctx.workspaceId, changes: counts }],
    });
    return diff;
  });
}

function compare(known: readonly NewModelPrice[], prices: readonly NewModelPrice[]): PriceDiff {
  const byKey = new Map(known.map((price) => [getPriceKey(price), price]));
  const diff: PriceDiff = { added: [], changed: [], unchanged: 0 };
  for (const after of prices) {
    const before = byKey.get(getPriceKey(after));
    if (before === undefined) diff.added.push(after);
    else if (isDeepStrictEqual(before, after)) diff.unchanged++;
    else diff.changed.push({ before, after });
  }
  return diff;
}
