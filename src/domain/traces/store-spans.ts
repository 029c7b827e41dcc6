import type { Ctx } from "../kernel/context.ts";
import type { ListPrices } from "../prices/own-prices.ts";
import { hashId } from "./hash-id.ts";
import { toSpanKey } from "./merge-copies.ts";
import { prepareSpans } from "./prepare-spans.ts";
import { reject } from "./rejected-spans.ts";
import type { StoredSpan } from "./stored-span.ts";
import type { TelemetryBatch, TelemetrySpan } from "./telemetry.ts";
import { type Refused, storeInTraces } from "./store-in-traces.ts";
import { STORE_NAMES } from "./trace-statements.ts";
import { withTracePartitions } from "./with-trace-partitions.ts";

/** A batch, the sender, and when it came. */
type Received = { batch: TelemetryBatch; agentId: string; now: Date };

/** Spans of one transaction: neither locks nor work without a pause take longer for a larger request. */
const BATCH = 500;

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
  const { refused, turned } = await withTracePartitions(ctx, days, () =>
    ctx.transaction((tx) => storeInTraces(tx, { spans, senderId, days })),
  );
  ctx.services.traceTurns.note(ctx.workspaceId, turned);
  return refused;
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
