import type { Transaction } from "../kernel/context.ts";
import { groupBy } from "../kernel/group-by.ts";
import { chargeSpans } from "../usage/charge-spans.ts";
import { collectTraces } from "./collect-traces.ts";
import { countSpans } from "./count-spans.ts";
import { toSpanKey } from "./merge-copies.ts";
import { SPAN_LIMITS } from "./span-limits.ts";
import { type StoredChunk, storeChunk } from "./store-chunk.ts";
import type { StoredSpan } from "./stored-span.ts";
import { HIDE_SESSION_TRACES, LOCK_TRACES, type LockedTrace, STORED_SPANS } from "./trace-statements.ts";

/** Why spans were refused, by {@link toSpanKey}. */
export type Refused = Map<string, string>;

/** `senderId`: null for the service's own spans. `days`: those of the traces are added. */
type Storing = { spans: readonly StoredSpan[]; senderId: string | null; days: Set<string> };

/** Which spans were refused, and the traces that began, ended or failed. */
export type StoredInTraces = { refused: Refused; turned: string[] };

/**
 * Stores spans in their traces, and what senders' spans say that calls used. Locks the traces.
 *
 * @returns what to tell once the transaction has committed.
 */
export async function storeInTraces(
  tx: Transaction,
  { spans, senderId, days }: Storing,
): Promise<StoredInTraces> {
  const { workspaceId } = tx.ctx;
  const refused: Refused = new Map();
  const locked = await tx.run(LOCK_TRACES, [workspaceId, ...collectTraces(spans)]);
  for (const { day } of locked) days.add(day);
  const placed = groupBy(await findRoom(tx, { spans, locked, refused }), ({ day }) => day);
  const generations = new Map(locked.map(({ id, generation }) => [id, generation]));
  const chunks: StoredChunk[] = [];
  for (const [day, ofDay] of placed) {
    chunks.push(await storeChunk(tx, { spans: ofDay.map(({ span }) => span), day, senderId, generations }));
  }
  for (const key of chunks.flatMap(({ foreign }) => foreign)) {
    refused.set(key, "another agent's credential has sent it");
  }
  for (const key of chunks.flatMap(({ own }) => own)) refused.set(key, "it is a span of the service itself");
  const turned = chunks.flatMap((one) => one.turned);
  if (senderId === null) return { refused, turned };
  await chargeSpans(tx, {
    senderId,
    days: new Map(locked.map(({ id, day }) => [id, day])),
    spans: refused.size === 0 ? spans : spans.filter((span) => !refused.has(toSpanKey(span))),
    calls: chunks.flatMap((one) => one.calls),
    changed: chunks.flatMap((one) => one.changed),
  });
  await hideSessionTraces(tx, spans);
  countSpans(
    tx,
    chunks.reduce((sum, one) => sum + one.added, 0),
  );
  return { refused, turned };
}

/** What a coding agent's logs say is shown in a trace of its own only if its session has no other one. */
async function hideSessionTraces({ ctx, run }: Transaction, spans: readonly StoredSpan[]): Promise<void> {
  const ids = new Set(spans.flatMap(({ sessionTraceId }) => sessionTraceId ?? []));
  if (ids.size > 0) await run(HIDE_SESSION_TRACES, [ctx.workspaceId, [...ids]]);
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
