import { LRUCache } from "lru-cache";
import type { ModelPrice } from "../../db/generated/client.ts";
import { type Run, sql } from "../../db/sql.ts";
import { type ListPrices, indexPrices } from "./own-prices.ts";
import { type RateColumns, toPrice } from "./stored-price.ts";

/** The workspaces' prices that a node remembers. */
export type RememberedPrices = {
  /** Returns a workspace's own prices as they are now. `run` reads them if they changed. */
  get: (workspaceId: string, run: Run) => Promise<ListPrices>;
};

type KnownPrices = { version: bigint; count: number; list: ListPrices };

/** Prices that a node remembers, of about half a kilobyte each. */
const MOST_PRICES = 100_000;

/** Remembers prices by the version of their list, so that none of them is out of date. */
export function rememberPrices(): RememberedPrices {
  const known = new LRUCache<string, KnownPrices>({
    maxSize: MOST_PRICES,
    sizeCalculation: ({ count }) => count + 1,
  });
  return {
    get: async (workspaceId, run) => {
      const [current] = await run(VERSION, [workspaceId]);
      const remembered = known.get(workspaceId);
      if (current === undefined) return NO_PRICES;
      if (remembered?.version === current.version) return remembered.list;
      const rows = await run(SELECT, [workspaceId]);
      const prices = rows.map((row) => ({ ...row, price: toPrice(row) }));
      const loaded = { version: current.version, count: rows.length, list: indexPrices(prices) };
      known.set(workspaceId, loaded);
      return loaded.list;
    },
  };
}

const NO_PRICES = indexPrices([]);

/** None before the first price. */
const VERSION = sql<{ version: bigint }>`
SELECT version FROM collection_total
WHERE workspace_id = $1::uuid AND collection = 'model_prices' AND facet = 'all'`;

const SELECT = sql<RateColumns & Pick<ModelPrice, "id" | "provider" | "model" | "validFrom">>`
SELECT id, provider, model, valid_from AS "validFrom", input_pico AS "inputPico", output_pico AS "outputPico",
  cache_read_pico AS "cacheReadPico", cache_write_pico AS "cacheWritePico",
  cache_write1h_pico AS "cacheWrite1hPico", tiers
FROM model_price WHERE workspace_id = $1::uuid ORDER BY valid_from DESC, id`;
