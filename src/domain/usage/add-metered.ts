import { randomInt } from "node:crypto";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { formatPico } from "../prices/pico-dollars.ts";
import { findOthers } from "./find-other-models.ts";
import { METERED, type Metered } from "./metered.ts";
import { type Bucket, listBuckets } from "./usage-buckets.ts";
import type { UsageCall } from "./usage-call.ts";

/** What metrics say that was used. */
export type MeteredCall = Pick<UsageCall, "agentId" | "taskId" | "model"> & {
  amounts: readonly (readonly [Metered, bigint])[];
};

/** Transactions that add to the same bucket at once, without waiting for each other. */
const SLOTS = 8;

type Sum = Bucket & Record<Metered, bigint>;

/** Adds what metrics say to the sums of this hour, beside what is charged. Buckets are locked in their order. */
export async function addMetered(tx: Transaction, metered: readonly MeteredCall[]): Promise<void> {
  const used = metered.filter(({ amounts }) => amounts.some(([, amount]) => amount > 0n));
  if (used.length === 0) return;
  const at = await tx.now();
  const isOther = await findOthers(
    tx,
    used.map(({ model }) => ({ model, at })),
  );
  const sums = new Map<string, Sum>();
  for (const { amounts, ...call } of used) {
    const isOtherModel = isOther({ model: call.model, at });
    for (const bucket of listBuckets({ ...call, isOtherModel, chargedAt: at })) {
      const name = `${bucket.dimension} ${bucket.period} ${bucket.key}`;
      const sum = sums.get(name) ?? { ...bucket, ...NOTHING };
      for (const [what, amount] of amounts) sum[what] += amount;
      sums.set(name, sum);
    }
  }
  await addSums(tx, [...sums.values()]);
}

const NOTHING: Record<Metered, bigint> = {
  inputTokens: 0n,
  cacheReadTokens: 0n,
  cacheWriteTokens: 0n,
  outputTokens: 0n,
  costPico: 0n,
};

async function addSums({ ctx, run }: Transaction, sums: readonly Sum[]): Promise<void> {
  await run(ADD_METERED, [
    ...[ctx.workspaceId, randomInt(SLOTS)],
    ...[sums.map(({ dimension }) => dimension), sums.map(({ period }) => period)],
    ...[sums.map(({ key }) => key), sums.map(({ start }) => start)],
    ...METERED.map((name) => sums.map((sum) => (name === "costPico" ? formatPico(sum[name]) : sum[name]))),
  ]);
}

const ADD_METERED = sql`
INSERT INTO usage_bucket AS b (workspace_id, slot, dimension, period, key, start, calls, input_tokens,
  cache_read_tokens, cache_write_tokens, output_tokens, cost_usd, unpriced_calls, metric_input_tokens,
  metric_cache_read_tokens, metric_cache_write_tokens, metric_output_tokens, metric_cost_usd)
SELECT $1::uuid, $2::int2, g.dimension, g.period, g.key, g.start, 0, 0, 0, 0, 0, 0, 0,
  g.input, g.read, g.write, g.output, g.cost
FROM unnest($3::usage_dimension[], $4::usage_period[], $5::text[], $6::timestamptz[], $7::numeric[], $8::numeric[],
  $9::numeric[], $10::numeric[], $11::numeric[]) g (dimension, period, key, start, input, read, write, output, cost)
ORDER BY g.dimension, g.period, g.key, g.start
ON CONFLICT (workspace_id, dimension, period, key, start, slot) DO UPDATE SET
  metric_input_tokens = b.metric_input_tokens + EXCLUDED.metric_input_tokens,
  metric_cache_read_tokens = b.metric_cache_read_tokens + EXCLUDED.metric_cache_read_tokens,
  metric_cache_write_tokens = b.metric_cache_write_tokens + EXCLUDED.metric_cache_write_tokens,
  metric_output_tokens = b.metric_output_tokens + EXCLUDED.metric_output_tokens,
  metric_cost_usd = b.metric_cost_usd + EXCLUDED.metric_cost_usd`;
