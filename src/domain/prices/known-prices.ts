import { LRUCache } from "lru-cache";
import type { ModelPrice } from "../../db/generated/client.ts";
import { type Run, sql } from "../../db/sql.ts";
import { type ListPrices, type NamedPrice, indexPrices } from "./own-prices.ts";
import type { Price } from "./price.ts";
import { type RateColumns, toPrice, toValidFrom } from "./stored-price.ts";

/** The workspaces' prices that a node remembers. */
export type RememberedPrices = {
  /** Returns a workspace's own prices as they are now. `run` reads them if they changed. */
  get: (workspaceId: string, run: Run) => Promise<ListPrices>;
};

type KnownPrices = { version: bigint; count: number; list: ListPrices };

/** Prices that a node remembers, of half a kilobyte to two each. */
const MOST_PRICES = 100_000;

/** Remembers prices by the version of their list, so that none of them is out of date. */
export function rememberPrices(): RememberedPrices {
  const known = new LRUCache<string, KnownPrices>({
    maxSize: MOST_PRICES,
    sizeCalculation: ({ count }) => count + 1,
  });
  const loading = new Map<string, Promise<KnownPrices>>();

  /** Those who ask at once read once. Whoever began may give up: then the others read by themselves. */
  async function loadOnce(workspaceId: string, version: bigint, run: Run): Promise<KnownPrices> {
    const key = `${workspaceId} ${version}`;
    for (let begun = loading.get(key); begun !== undefined; begun = loading.get(key)) {
      const shared = await begun.catch(() => null);
      if (shared !== null) return shared;
    }
    const own = load(workspaceId, version, run).finally(() => loading.delete(key));
    loading.set(key, own);
    return own;
  }

  return {
    get: async (workspaceId, run) => {
      const [current] = await run(VERSION, [workspaceId]);
      if (current === undefined) return NO_PRICES;
      const remembered = known.get(workspaceId);
      if (remembered?.version === current.version) return remembered.list;
      const loaded = await loadOnce(workspaceId, current.version, run);
      known.set(workspaceId, loaded);
      return loaded.list;
    },
  };
}

async function load(workspaceId: string, version: bigint, run: Run): Promise<KnownPrices> {
  const rows = await run(SELECT, [workspaceId]);
  return { version, count: rows.length, list: indexPrices(rows.map(toNamedPrice)) };
}

const NO_PRICES = indexPrices([]);

/** What is not asked for stays as it is stored: a price with tiers has half a hundred numbers. */
function toNamedPrice(row: Row): NamedPrice {
  const { provider, model } = row;
  let price: Price | null = null;
  return {
    provider,
    model,
    validFrom: toValidFrom(row),
    // Only saveModelPrices() writes the tiers.
    read: () => (price ??= toPrice({ ...row, tiers: JSON.parse(row.tiers) as ModelPrice["tiers"] })),
  };
}

/** None before the first price. */
const VERSION = sql<{ version: bigint }>`
SELECT version FROM collection_total
WHERE workspace_id = $1::uuid AND collection = 'model_prices' AND facet = 'all'`;

type Row = Omit<RateColumns, "tiers"> &
  Pick<ModelPrice, "id" | "provider" | "model" | "validFrom"> & { tiers: string };

const SELECT = sql<Row>`
SELECT id, provider, model, valid_from AS "validFrom", input_pico AS "inputPico", output_pico AS "outputPico",
  cache_read_pico AS "cacheReadPico", cache_write_pico AS "cacheWritePico",
  cache_write1h_pico AS "cacheWrite1hPico", tiers::text
FROM model_price WHERE workspace_id = $1::uuid ORDER BY valid_from DESC, id`;
