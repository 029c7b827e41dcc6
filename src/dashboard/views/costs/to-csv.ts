import { writeCsv } from "../../ui/table/tools/csv.ts";
import { getSumKey, getSumName } from "./cost-grouping.ts";
import type { CostSum } from "./costs-query.ts";

const HEADERS = [
  ...(["name", "id", "cost_usd", "unpriced_calls", "calls"] as const),
  ...(["input_tokens", "cache_read_tokens", "output_tokens"] as const),
  ...(["metric_input_tokens", "metric_output_tokens", "metric_cost_usd"] as const),
];

/** Writes sums as CSV. */
export function toCsv(sums: readonly CostSum[]): string {
  const rows = sums.map((sum) => [
    ...[getSumName(sum), getSumKey(sum), sum.costUsd, sum.unpricedCalls, sum.calls],
    ...[sum.inputTokens, sum.cacheReadTokens, sum.outputTokens],
    ...[sum.metrics.inputTokens, sum.metrics.outputTokens, sum.metrics.costUsd],
  ]);
  return writeCsv([HEADERS, ...rows]);
}
