import { z } from "zod";
import { UsageDimension, UsagePeriod } from "../../db/generated/enums.ts";
import { allowLag, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { findPeriodStart } from "./usage-buckets.ts";

/** How many milliseconds a period has at least. */
const LEAST_MS = { hour: 3_600_000, day: 86_400_000, month: 28 * 86_400_000, all: Infinity } as const;

const shape = z
  .object({
    dimension: z.enum(UsageDimension),
    period: z.enum(UsagePeriod),
    from: z.date().nullish(),
    to: z.date().nullish(),
    perPeriod: z.boolean().default(false),
    first: wholeNumber(LIMITS.usageSums).default(LIMITS.usageSums.default),
  })
  .superRefine(({ period, from, to }, context) => {
    function reject(field: string, message: string): void {
      context.addIssue({ code: "custom", path: [field], message });
    }
    if (period === "all") return;
    if (!from) return reject("from", "is required, but for the period of all time");
    if (!to) return reject("to", "is required, but for the period of all time");
    const rangeMs = to.getTime() - from.getTime();
    if (rangeMs <= 0) reject("to", "must be after from");
    if (rangeMs > LIMITS.usagePeriods * LEAST_MS[period]) {
      reject("from", `must be at most ${LIMITS.usagePeriods} periods before to`);
    }
  });

/** What was charged for one agent, task or model. Tokens are exact up to 2⁵³. */
export type UsageSum = {
  /** As the buckets have it; empty for the workspace, and for models without a sum of their own. */
  key: string;
  /** When its period began; null if it is of the whole time. */
  start: Date | null;
  calls: number;
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  /** Dollars, with 12 decimal places. */
  costUsd: string;
  /** Calls whose cost nobody knows. */
  unpricedCalls: number;
} & MetricSums;

/** What agents' metrics say of the same. */
type MetricSums = {
  metricInputTokens: number;
  metricCacheReadTokens: number;
  metricCacheWriteTokens: number;
  metricOutputTokens: number;
  metricCostUsd: string;
};

/**
 * Reads what calls of models used, as it was charged: sums of whole periods in UTC, those that cost most first.
 * `perPeriod`: the sum of each period, the first periods first.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed.
 */
export async function readUsage(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<{ sums: UsageSum[]; hasMore: boolean }> {
  requireScope(ctx, "traces:read");
  const { dimension, period, from, to, perPeriod, first } = parseInput(shape, input);
  const [start, end] =
    period === "all" ? [new Date(0), new Date(1)] : [findPeriodStart(period, from ?? new Date(0)), to];
  const found = await ctx.read(SUMS, [ctx.workspaceId, dimension, period, start, end, perPeriod, first + 1]);
  return { sums: found.slice(0, first), hasMore: found.length > first };
}

const SUMS = allowLag(sql<UsageSum>`
SELECT key, CASE WHEN $6::bool THEN start END AS start, sum(calls)::float8 AS calls,
  sum(input_tokens)::float8 AS "inputTokens", sum(cache_read_tokens)::float8 AS "cacheReadTokens",
  sum(cache_write_tokens)::float8 AS "cacheWriteTokens", sum(output_tokens)::float8 AS "outputTokens",
  sum(cost_usd)::text AS "costUsd", sum(unpriced_calls)::float8 AS "unpricedCalls",
  sum(metric_input_tokens)::float8 AS "metricInputTokens",
  sum(metric_cache_read_tokens)::float8 AS "metricCacheReadTokens",
  sum(metric_cache_write_tokens)::float8 AS "metricCacheWriteTokens",
  sum(metric_output_tokens)::float8 AS "metricOutputTokens", sum(metric_cost_usd)::text AS "metricCostUsd"
FROM usage_bucket
WHERE workspace_id = $1::uuid AND dimension = $2::usage_dimension AND period = $3::usage_period
  AND start >= $4::timestamptz AND start < $5::timestamptz
GROUP BY key, CASE WHEN $6::bool THEN start END
HAVING sum(calls) <> 0 OR sum(cost_usd) <> 0 OR sum(unpriced_calls) <> 0
  OR sum(metric_input_tokens) <> 0 OR sum(metric_cache_read_tokens) <> 0 OR sum(metric_output_tokens) <> 0
  OR sum(metric_cost_usd) <> 0
ORDER BY 2, sum(cost_usd) DESC, sum(unpriced_calls) DESC, sum(metric_cost_usd) DESC, key LIMIT $7::int`);
