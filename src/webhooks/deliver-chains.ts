import { v7 as uuidv7 } from "uuid";
import { LIMITS } from "../domain/kernel/limits.ts";
import type { Measures } from "../domain/kernel/measures.ts";
import type { Outbound } from "../http/outbound/outbound.ts";
import { type Attempt, type Receiver, attemptDelivery } from "./attempt-delivery.ts";
import type { DeliveryRecord, PendingDelivery } from "./endpoint-statements.ts";
import { findRetryDelayMs } from "./retry-schedule.ts";
import { sendInOrder } from "./send-in-order.ts";

/** What became of some deliveries. */
export type Delivered = {
  records: DeliveryRecord[];
  /** The first event of which nothing is known; null if there is none. */
  firstUnfinished: number | null;
  hasSuccess: boolean;
  /** Whether the receiver took nothing, so that nothing more was sent. */
  isDown: boolean;
  disabledBecause: "failed" | "gone" | null;
};

type Sending = {
  outbound: Outbound;
  receiver: Receiver;
  measures: Pick<Measures, "delivered">;
  signal: AbortSignal;
  /** When no other attempt begins, by `performance.now()`: a slow receiver must not keep others waiting. */
  endMs: number;
};

/** After so many failures without a success, nothing more is sent for now. */
const MOST_FAILURES = 8;

/** Attempts deliveries, those of each subject in order, until one of them fails. */
export async function deliverChains(
  chains: readonly (readonly PendingDelivery[])[],
  { outbound, receiver, measures, signal, endMs }: Sending,
): Promise<Delivered> {
  const attempts = new Map<string, Attempt>();
  let failures = 0;
  let hasSuccess = false;
  let disabledBecause: Delivered["disabledBecause"] = null;

  async function act(delivery: PendingDelivery): Promise<boolean> {
    const { eventId: id, body } = delivery;
    const attempt = await attemptDelivery(outbound, receiver, { id, body, signal });
    const { outcome } = attempt;
    if (outcome === "ended") return false;
    attempts.set(id, attempt);
    measures.delivered(outcome, attempt.durationMs / 1000);
    if (outcome === "delivered") hasSuccess = true;
    else failures++;
    if (outcome === "gone") disabledBecause = "gone";
    if (outcome === "failed" && findDelay(delivery, attempt) === null) disabledBecause ??= "failed";
    return outcome === "delivered";
  }

  function isDown(): boolean {
    return failures >= MOST_FAILURES && !hasSuccess;
  }

  await sendInOrder(chains, {
    most: receiver.isChat ? 1 : LIMITS.webhookInFlight,
    act,
    isOver: () => signal.aborted || performance.now() >= endMs || disabledBecause !== null || isDown(),
  });
  const known = chains.map((chain) => describeChain(chain, attempts));
  const unfinished = known.flatMap(({ unfinished: seq }) => seq ?? []);
  return {
    records: known.flatMap(({ records }) => records),
    firstUnfinished: unfinished.length === 0 ? null : Math.min(...unfinished),
    hasSuccess,
    isDown: isDown(),
    disabledBecause,
  };
}

type KnownChain = { records: DeliveryRecord[]; unfinished: number | null };

/** What follows a failure waits for it. What follows the last attempt otherwise is unfinished. */
function describeChain(
  chain: readonly PendingDelivery[],
  attempts: ReadonlyMap<string, Attempt>,
): KnownChain {
  const records: DeliveryRecord[] = [];
  let hasFailed = false;
  for (const delivery of chain) {
    const attempt = attempts.get(delivery.eventId);
    if (attempt === undefined && !hasFailed) {
      // It waits for those before it no longer.
      if (records.length > 0) records.push({ ...toWaiting(delivery), next_in_ms: 0 });
      return { records, unfinished: delivery.seq };
    }
    records.push(attempt === undefined ? toWaiting(delivery) : toAttempted(delivery, attempt));
    hasFailed ||= attempt?.outcome !== "delivered";
  }
  return { records, unfinished: null };
}

function toAttempted(delivery: PendingDelivery, attempt: Attempt): DeliveryRecord {
  const isDelivered = attempt.outcome === "delivered";
  return {
    ...toWaiting(delivery),
    status: isDelivered ? "delivered" : "pending",
    attempts: delivery.attempts + 1,
    next_in_ms: isDelivered || attempt.outcome === "gone" ? null : findDelay(delivery, attempt),
    is_attempted: true,
    duration_ms: attempt.durationMs,
    answer_status: attempt.answerStatus,
    answer_body: attempt.answerBody,
    problem: attempt.problem,
  };
}

/** The record of a delivery that waits behind another one of its subject. */
export function toWaiting(delivery: PendingDelivery): DeliveryRecord {
  const { eventId, seq, eventType, subjectId, body, attempts } = delivery;
  return {
    id: uuidv7(),
    event_id: eventId,
    seq,
    event_type: eventType,
    subject_id: subjectId,
    body,
    status: "pending",
    attempts,
    next_in_ms: null,
    is_attempted: false,
    duration_ms: null,
    answer_status: null,
    answer_body: null,
    problem: null,
  };
}

function findDelay({ attempts }: PendingDelivery, { retryAfterMs }: Attempt): number | null {
  return findRetryDelayMs(attempts + 1, retryAfterMs);
}
