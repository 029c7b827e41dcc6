import { BUSINESS_TRADES } from "./business-trades.ts";
import { CUSTOMER_TRADES } from "./customer-trades.ts";
import { ENGINEERING_TRADES } from "./engineering-trades.ts";
import type { Trade } from "./trade.ts";

/** Every kind of work of the demo's software agents, by its queue. */
export const TRADES: ReadonlyMap<string, Trade> = new Map(
  [...CUSTOMER_TRADES, ...BUSINESS_TRADES, ...ENGINEERING_TRADES].map((trade) => [trade.queue, trade]),
);
