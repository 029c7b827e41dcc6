import { randomInt } from "node:crypto";
import type { UsageDimension, UsagePeriod } from "../../db/generated/enums.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { formatPico } from "../prices/pico-dollars.ts";
import { listBuckets } from "./usage-buckets.ts";
import {
  AMOUNTS,
  type UsageAmounts,
  type UsageCall,
  addAmounts,
  createNoAmounts,
  getAmounts,
  type CallChange,
} from "./usage-call.ts";

/** Transactions that add to the same bucket at once, without waiting for each other. */
const SLOTS = 8;

/** A bucket's key, and what is added to it. */
type Sum = { dimension: UsageDimension; period: UsagePeriod; key: string; start: Date } & UsageAmounts;

/** Adds the differences that changes of calls make to the buckets. They are locked last, and in their order. */
export function bookChanges({ ctx, runLast }: Transaction, changes: readonly CallChange[]): void {
  const sums = addToBuckets(addAlike(changes));
  const changed = [...sums.values()].filter((sum) => AMOUNTS.some((name) => sum[name] !== 0n));
  if (changed.length === 0) return;
  runLast(ADD_TO_BUCKETS, [
    ...[ctx.workspaceId, randomInt(SLOTS)],
    ...[changed.map(({ dimension }) => dimension), changed.map(({ period }) => period)],
    ...[changed.map(({ key }) => key), changed.map(({ start }) => start)],
    ...AMOUNTS.map((name) => changed.map((sum) => (name === "costPico" ? formatPico(sum[name]) : sum[name]))),
  ]);
}

/** Calls that count in the same buckets, and what they add there. */
type AlikeCalls = { call: UsageCall; amounts: UsageAmounts };

/** Adds calls up that count in the same buckets: of a request, these are most. */
function addAlike(changes: readonly CallChange[]): Iterable<AlikeCalls> {
  const alike = new Map<string, AlikeCalls>();
  function add(call: UsageCall, sign: 1n | -1n): void {
    const { agentId, taskId, model, isOtherModel, chargedAt } = call;
    const key = `${agentId} ${taskId} ${isOtherModel} ${chargedAt.getTime()} ${model}`;
    const known = alike.get(key) ?? { call, amounts: createNoAmounts() };
    addAmounts(known.amounts, getAmounts(call), sign);
    alike.set(key, known);
  }
  for (const { before, after } of changes) {
    if (before?.charged === true) add(before, -1n);
    if (after.charged) add(after, 1n);
  }
  return alike.values();
}

function addToBuckets(alike: Iterable<AlikeCalls>): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { call, amounts } of alike) {
    for (const bucket of listBuckets(call)) {
      const name = `${bucket.dimension} ${bucket.period} ${bucket.start.getTime()} ${bucket.key}`;
      const sum = sums.get(name) ?? { ...bucket, ...createNoAmounts() };
      addAmounts(sum, amounts, 1n);
      sums.set(name, sum);
    }
  }
  return sums;
}

const ADD_TO_BUCKETS = sql`
INSERT INTO usage_bucket AS b (workspace_id, slot, dimension, period, key, start, calls, input_tokens,
  cache_read_tokens, cache_write_tokens, output_tokens, cost_usd, unpriced_calls)
SELECT $1::uuid, $2::int2, g.*
FROM unnest($3::usage_dimension[], $4::usage_period[], $5::text[], $6::timestamptz[], $7::int8[], $8::numeric[],
  $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::int8[])
  g (dimension, period, key, start, calls, input, read, write, output, cost, unpriced)
ORDER BY g.dimension, g.period, g.key, g.start
ON CONFLICT (workspace_id, dimension, period, key, start, slot) DO UPDATE SET calls = b.calls + EXCLUDED.calls,
  input_tokens = b.input_tokens + EXCLUDED.input_tokens,
  cache_read_tokens = b.cache_read_tokens + EXCLUDED.cache_read_tokens,
  cache_write_tokens = b.cache_write_tokens + EXCLUDED.cache_write_tokens,
  output_tokens = b.output_tokens + EXCLUDED.output_tokens, cost_usd = b.cost_usd + EXCLUDED.cost_usd,
  unpriced_calls = b.unpriced_calls + EXCLUDED.unpriced_calls`;
