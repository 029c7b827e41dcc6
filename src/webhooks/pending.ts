import type { DeliveryRecord, PendingDelivery } from "./endpoint-statements.ts";

/**
 * Deliveries that are pending, as they were when they were read or recorded, by `performance.now()`. `isWhole`: there are
 * no others.
 */
export type Pending = { deliveries: readonly PendingDelivery[]; readAtMs: number; isWhole: boolean };

/** Whether a delivery of this chain is due now. */
export function isDue(chain: readonly PendingDelivery[], readAtMs: number): boolean {
  return chain.some(({ dueInMs }) => dueInMs !== null && readAtMs + dueInMs <= performance.now());
}

/** When the next delivery is due, by `performance.now()`; Infinity if none is. */
export function findNextDueMs(pending: Pending | null): number {
  if (pending === null) return Infinity;
  const { deliveries, readAtMs } = pending;
  return Math.min(...deliveries.map(({ dueInMs }) => (dueInMs === null ? Infinity : readAtMs + dueInMs)));
}

/** Returns what is pending once these records are stored: reading all again would cost more, the more are pending. */
export function applyRecords(
  { deliveries, readAtMs, isWhole }: Pending,
  records: readonly DeliveryRecord[],
  nowMs: number,
): Pending {
  const recorded = new Set(records.map(({ event_id: id }) => id));
  const untouched = deliveries
    .filter(({ eventId }) => !recorded.has(eventId))
    .map(({ dueInMs, ...one }) => ({
      ...one,
      dueInMs: dueInMs === null ? null : readAtMs + dueInMs - nowMs,
    }));
  const pending = records.filter(({ status }) => status === "pending").map(toPending);
  const all = [...untouched, ...pending].toSorted((a, b) => a.seq - b.seq);
  return { deliveries: all, readAtMs: nowMs, isWhole };
}

function toPending(record: DeliveryRecord): PendingDelivery {
  const { event_id: eventId, seq, event_type: eventType, subject_id: subjectId, body, attempts } = record;
  return { eventId, seq, eventType, subjectId, body, attempts, dueInMs: record.next_in_ms };
}
