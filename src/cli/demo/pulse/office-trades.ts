import type { Trade } from "../stories/trade.ts";
import { TRADES } from "../stories/trades.ts";

/** `billing` is left to who follows the README; robots are sent out on errands. */
const LEFT: ReadonlySet<string> = new Set(["billing", "fleet"]);

/** What software agents of the demo go on doing. */
export const OFFICE_TRADES: readonly Trade[] = [...TRADES.values()].filter(({ queue }) => !LEFT.has(queue));
