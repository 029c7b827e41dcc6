import { randomInt } from "node:crypto";
import { isMissingPartition } from "../../db/database-errors.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { TRACE_PARTITIONS, createDayPartitions } from "../retention/day-partitions.ts";
import type { ListPrices } from "../prices/own-prices.ts";
import { chargeSpans } from "../usage/charge-spans.ts";
import { collectTraces } from "./collect-traces.ts";
import { hashId } from "./hash-id.ts";
import { toSpanKey } from "./merge-copies.ts";
import { prepareSpans } from "./prepare-spans.ts";
import { reject } from "./rejected-spans.ts";
import { SPAN_LIMITS } from "./span-limits.ts";
import type { StoredSpan } from "./stored-span.ts";
import type { TelemetryBatch, TelemetrySpan } from "./telemetry.ts";
import { type StoredChunk, storeChunk } from "./store-chunk.ts";
import { COUNT_SPANS, LOCK_TRACES, type LockedTrace, STORED_SPANS, STORE_NAMES } from "./trace-statements.ts";

/** A batch, the sender, and when it came. */
type Received = { batch: TelemetryBatch; agentId: string; now: Date };

/** Spans of one transaction: neither locks nor work without a pause take longer for a larger request. */
const BATCH = 500;
/** Transactions that count spans at once, without waiting for each other. */
const SLOTS = 8;

/**
 * Stores spans and the sums of their traces, some in each transaction, as if they had been sent apart. Moves spans that
 * can't be stored from the batch's spans to its rejected ones.
 */
export async function storeSpans(ctx: Ctx, { batch, agentId, now }: Received): Promise<void> {
  const { spans, resources } = batch;
  const prices = await readPrices(ctx, spans);
  const resourceIds = resources.map((resource) => hashId(resource));
  const named = new Map(resources.map((resource, at) => [resourceIds[at] ?? "", resource]));
  const refused: Refused = new Map();
  for (let start = 0; start < spans.length; start += BATCH) {
    const sent = spans.slice(start, start + BATCH);
    const prepared = await prepareSpans(ctx, sent, { senderId: agentId, prices, resourceIds });
    const names = new Map(prepared.map(({ nameId, name }) => [nameId, name]));
    await storeNames(ctx, names, start === 0 ? named : new Map());
    const reasons = await storeBatch(ctx, { spans: prepared, senderId: agentId, now });
    for (const [key, reason] of reasons) refused.set(key, reason);
  }
  if (refused.size > 0) rejectSpans(batch, refused);
}

function rejectSpans(batch: TelemetryBatch, refused: Refused): void {
  batch.spans = batch.spans.filter((span) => {
    const reason = refused.get(toSpanKey(span));
    if (reason !== undefined) reject(batch.rejected, span.number, reason);
    return reason === undefined;
  });
}

type Prepared = { spans: readonly StoredSpan[]; senderId: string; now: Date };

async function storeBatch(ctx: Ctx, { spans, senderId, now }: Prepared): Promise<Refused> {
  const days = new Set([now.toISOString().slice(0, 10)]);
  return withPartitions(ctx, days, () =>
    ctx.transaction((tx) => storeInTransaction(tx, { spans, senderId, days })),
  );
}

/** Nothing is read if nothing has a price. */
async function readPrices(ctx: Ctx, spans: readonly TelemetrySpan[]): Promise<ListPrices> {
  if (spans.every(({ usage }) => usage === null)) return () => [];
  return ctx.services.prices.get(ctx.workspaceId, ctx.read);
}

/** Names and resources, by their ids, are stored first, since any number of transactions have the same ones. */
async function storeNames(
  ctx: Ctx,
  names: ReadonlyMap<string, string>,
  resources: ReadonlyMap<string, string>,
): Promise<void> {
  await ctx.run(STORE_NAMES, [
    ...[ctx.workspaceId, [...names.keys()], [...names.values()]],
    ...[[...resources.keys()], [...resources.values()]],
  ]);
}

/** If the partition of one of the days is missing, creates it and runs the work again, which may add days. */
async function withPartitions<Result>(
  ctx: Ctx,
  days: ReadonlySet<string>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    for (const table of TRACE_PARTITIONS) {
      for (const day of days) await createDayPartitions(ctx.services.database, table, new Date(day));
    }
    return work();
  }
}

/** Why spans were refused, by {@link toSpanKey}. */
type Refused = Map<string, string>;

/** `days`: those of the traces are added. */
type Storing = { spans: readonly StoredSpan[]; senderId: string; days: Set<string> };

async function storeInTransaction(tx: Transaction, { spans, senderId, days }: Storing): Promise<Refused> {
  const { workspaceId } = tx.ctx;
  const refused: Refused = new Map();
  const locked = await tx.run(LOCK_TRACES, [workspaceId, ...collectTraces(spans)]);
  for (const { day } of locked) days.add(day);
  const placed = groupBy(await findRoom(tx, { spans, locked, refused }), ({ day }) => day);
  const chunks: StoredChunk[] = [];
  for (const [day, ofDay] of placed) {
    chunks.push(await storeChunk(tx, { spans: ofDay.map(({ span }) => span), day, senderId }));
  }
  for (const span of chunks.flatMap(({ foreign }) => foreign)) {
    refused.set(toSpanKey(span), "another agent's credential has sent it");
  }
  await chargeSpans(tx, {
    ...{ senderId, days: new Map(locked.map(({ id, day }) => [id, day])) },
    spans: spans.filter((span) => !refused.has(toSpanKey(span))),
    calls: chunks.flatMap((one) => one.calls),
    changed: chunks.flatMap((one) => one.changed),
  });
  const added = chunks.reduce((sum, one) => sum + one.added, 0);
  if (added > 0) await tx.run(COUNT_SPANS, [workspaceId, randomInt(SLOTS), added]);
  return refused;
}

function groupBy<Item>(items: readonly Item[], getKey: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

type Placed = { span: StoredSpan; day: string };

/** Finds the day of each span, and refuses new ones of traces that are full. */
async function findRoom(
  tx: Transaction,
  { spans, locked, refused }: { spans: readonly StoredSpan[]; locked: LockedTrace[]; refused: Refused },
): Promise<Placed[]> {
  const placed: Placed[] = [];
  const traces = groupBy(spans, ({ traceId }) => traceId);
  for (const { id, day, spanCount } of locked) {
    const given = traces.get(id) ?? [];
    const room = SPAN_LIMITS.spans - spanCount;
    const stored = room >= given.length ? null : await readStored(tx, { id, day, given });
    let left = room;
    for (const span of given) {
      const isNew = stored === null || !stored.has(span.spanId);
      if (stored === null || !isNew || left-- > 0) placed.push({ span, day });
      else refused.set(toSpanKey(span), `its trace has ${SPAN_LIMITS.spans} spans already`);
    }
  }
  return placed;
}

async function readStored(
  tx: Transaction,
  { id, day, given }: { id: string; day: string; given: readonly StoredSpan[] },
): Promise<Set<string>> {
  const ids = given.map(({ spanId }) => spanId);
  const rows = await tx.run(STORED_SPANS, [tx.ctx.workspaceId, day, id, ids]);
  return new Set(rows.map(({ spanId }) => spanId));
}
