import { v7 as uuidv7 } from "uuid";
import { sql } from "../../db/sql.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import type { NewModelPrice, OwnRates } from "./model-price-input.ts";

/** A price that was created or changed. */
export type SavedPrice = { id: string; isNew: boolean };

/**
 * Creates prices, or changes those of the same provider, model and date. Those that are equal stay as they are.
 *
 * @returns those that were created or changed.
 * @throws {DomainError} validation_failed if the workspace would have too many.
 */
export async function saveModelPrices(
  tx: Transaction,
  prices: readonly NewModelPrice[],
): Promise<SavedPrice[]> {
  await lockWorkspace(tx);
  const { workspaceId, actor } = tx.ctx;
  const rows = JSON.stringify(prices.map(toRow));
  const by = JSON.stringify(createActorRecord(actor));
  const saved = await tx.run(SAVE, [workspaceId, rows, by, await tx.now()]);
  const [found] = await tx.run(COUNT, [workspaceId]);
  if (found === undefined || found.total <= LIMITS.modelPrices || !saved.some(({ isNew }) => isNew))
    return saved;
  throw new DomainError("validation_failed", `A workspace has at most ${LIMITS.modelPrices} prices.`);
}

function toRow({ provider, model, validFrom, prices, tiers }: NewModelPrice) {
  return {
    id: uuidv7(),
    provider,
    model,
    valid_from: validFrom,
    ...toTexts(prices),
    tiers: tiers.map(({ aboveInputTokens, prices: above }) => ({ aboveInputTokens, ...toTexts(above) })),
  };
}

/** JSON has no integers of this size. */
function toTexts(rates: OwnRates): Record<keyof OwnRates, string | null> {
  function toText(rate: bigint | null): string | null {
    return rate === null ? null : `${rate}`;
  }
  return {
    input: toText(rates.input),
    output: toText(rates.output),
    cacheRead: toText(rates.cacheRead),
    cacheWrite: toText(rates.cacheWrite),
    cacheWrite1h: toText(rates.cacheWrite1h),
  };
}

const SAVE = sql<SavedPrice>`
INSERT INTO model_price AS p (workspace_id, id, provider, model, valid_from, input_pico, output_pico,
  cache_read_pico, cache_write_pico, cache_write1h_pico, tiers, updated_by, created_at, updated_at)
SELECT $1::uuid, r.id, r.provider, r.model, r.valid_from, r.input, r.output, r."cacheRead", r."cacheWrite",
  r."cacheWrite1h", r.tiers, $3::jsonb, $4::timestamptz, $4::timestamptz
FROM jsonb_to_recordset($2::jsonb) r (id uuid, provider text, model text, valid_from timestamptz, input bigint,
  output bigint, "cacheRead" bigint, "cacheWrite" bigint, "cacheWrite1h" bigint, tiers jsonb)
ON CONFLICT (workspace_id, provider, model, valid_from) DO UPDATE SET input_pico = excluded.input_pico,
  output_pico = excluded.output_pico, cache_read_pico = excluded.cache_read_pico,
  cache_write_pico = excluded.cache_write_pico, cache_write1h_pico = excluded.cache_write1h_pico,
  tiers = excluded.tiers, updated_by = excluded.updated_by, generation = p.generation + 1,
  updated_at = excluded.updated_at
WHERE (p.input_pico, p.output_pico, p.cache_read_pico, p.cache_write_pico, p.cache_write1h_pico, p.tiers)
  IS DISTINCT FROM (excluded.input_pico, excluded.output_pico, excluded.cache_read_pico,
    excluded.cache_write_pico, excluded.cache_write1h_pico, excluded.tiers)
RETURNING p.id, p.generation = 1 AS "isNew"`;

const COUNT = sql<{ total: number }>`
SELECT count(*)::int AS total FROM model_price WHERE workspace_id = $1::uuid`;
