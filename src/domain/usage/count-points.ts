import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { type MeteredCall, addMetered } from "./add-metered.ts";
import type { Metered } from "./metered.ts";

/** A point of a series: what is new since its start, or a sum that grows from it on. */
export type CountedPoint = Omit<MeteredCall, "amounts"> & {
  /** A UUID, which no other sender has. */
  seriesId: string;
  isDelta: boolean;
  /** Microseconds since 1970; 0 if it is not known. */
  startedUs: bigint;
  atUs: bigint;
  counts: readonly Metered[];
  /** Tokens, or pico-dollars. */
  amount: bigint;
};

/** What the last point of a series with one start said. */
type Series = { seriesId: string; startedUs: bigint; atUs: bigint; amount: bigint };

/**
 * Adds what points say to the sums of this hour, each once: of sums that grow the differences. Charges nothing. Locks
 * the series, before names of models and buckets.
 *
 * @param points in the order of their times.
 * @returns how many series, and starts of them, are new.
 */
export async function countPoints(tx: Transaction, points: readonly CountedPoint[]): Promise<number> {
  const stored = await lockSeries(tx, points);
  const series = new Map(stored.map((one) => [toSeriesKey(one), one]));
  const metered: MeteredCall[] = [];
  for (const point of points) {
    const known = series.get(toSeriesKey(point));
    if (known === undefined || point.atUs <= known.atUs) continue;
    const { seriesId, startedUs, atUs, counts, amount, agentId, taskId, model } = point;
    const added = point.isDelta || amount < known.amount ? amount : amount - known.amount;
    metered.push({ agentId, taskId, model, amounts: counts.map((name) => [name, added] as const) });
    series.set(toSeriesKey(point), { seriesId, startedUs, atUs, amount });
  }
  await writeSeries(
    tx,
    [...series.values()].filter((one) => !stored.includes(one)),
  );
  await addMetered(tx, metered);
  return stored.filter(({ atUs }) => atUs === 0n).length;
}

function toSeriesKey({ seriesId, startedUs }: Pick<Series, "seriesId" | "startedUs">): string {
  return `${seriesId} ${startedUs}`;
}

async function lockSeries({ ctx, run }: Transaction, points: readonly CountedPoint[]): Promise<Series[]> {
  const named = [...new Map(points.map((point) => [toSeriesKey(point), point])).values()];
  return run(LOCK_SERIES, [
    ...[ctx.workspaceId, named.map(({ seriesId }) => seriesId), named.map(({ startedUs }) => startedUs)],
    named.map(({ isDelta }) => isDelta),
  ]);
}

async function writeSeries({ ctx, run }: Transaction, changed: readonly Series[]): Promise<void> {
  if (changed.length === 0) return;
  await run(WRITE_SERIES, [
    ...[ctx.workspaceId, changed.map(({ seriesId }) => seriesId)],
    changed.map(({ startedUs }) => startedUs),
    ...[changed.map(({ atUs }) => atUs), changed.map(({ amount }) => amount)],
  ]);
}

/**
 * Creates missing series and locks all of them, in the order of their keys. Points of a delta are sent again within a
 * day; a sum grows for as long as its process runs.
 */
const LOCK_SERIES = sql<Series>`
INSERT INTO metric_series AS m (workspace_id, id, started_us, at_us, amount, kept_until)
SELECT $1::uuid, g.id, g.started, 0, 0, (${NOW} AT TIME ZONE 'UTC')::date + CASE WHEN g.is_delta THEN 1 ELSE 30 END
FROM unnest($2::uuid[], $3::int8[], $4::bool[]) g (id, started, is_delta) ORDER BY g.id, g.started
ON CONFLICT (workspace_id, id, started_us) DO UPDATE SET kept_until = GREATEST(m.kept_until, EXCLUDED.kept_until)
RETURNING id AS "seriesId", started_us AS "startedUs", at_us AS "atUs", amount`;

const WRITE_SERIES = sql`
UPDATE metric_series m SET at_us = g.at, amount = g.amount
FROM unnest($2::uuid[], $3::int8[], $4::int8[], $5::int8[]) g (id, started, at, amount)
WHERE m.workspace_id = $1::uuid AND m.id = g.id AND m.started_us = g.started`;
