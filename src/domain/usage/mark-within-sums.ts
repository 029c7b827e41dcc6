import type { Transaction } from "../kernel/context.ts";
import { findCounting } from "./count-call.ts";
import type { ChargedSpans } from "./span-call.ts";
import {
  MARK_WITHIN_SENT_SUMS,
  MARK_WITHIN_SUMS,
  type NotedUsage,
  SENT_SUMS,
} from "./span-usage-statements.ts";

type Span = { traceId: string; spanId: string };

/** Spans that turned out to be within sums, and within sums that say a cost. */
export type MarkedSpans = { inSums: readonly Span[]; inSentSums: readonly Span[] };

/** Marks what is within sums, where what counts depends on it. */
export async function markWithinSums(
  tx: Transaction,
  given: ChargedSpans,
  noted: readonly NotedUsage[],
): Promise<MarkedSpans> {
  const sums = noted.filter((one) => findCounting(one) === "sums");
  const sentSums = noted.filter((one) => findCounting(one) === "sentSums");
  return {
    inSums: await mark(tx, given, { statement: MARK_WITHIN_SUMS, traces: sums, more: [] }),
    inSentSums: await mark(tx, given, {
      statement: MARK_WITHIN_SENT_SUMS,
      traces: sentSums,
      more: await listSentSums(tx, given, sentSums),
    }),
  };
}

/** What is within sums that came before is marked when it first matters. */
async function listSentSums(
  { ctx, run }: Transaction,
  { senderId }: ChargedSpans,
  noted: readonly NotedUsage[],
): Promise<Span[]> {
  const traces = noted.filter(({ before }) => before !== null && findCounting(before) !== "sentSums");
  if (traces.length === 0) return [];
  return run(SENT_SUMS, [ctx.workspaceId, senderId, traces.map(({ traceId }) => traceId)]);
}

type Marking = {
  statement: typeof MARK_WITHIN_SUMS;
  traces: readonly NotedUsage[];
  more: readonly Span[];
};

async function mark(
  { ctx, run }: Transaction,
  { senderId, days, changed }: ChargedSpans,
  { statement, traces, more }: Marking,
): Promise<Span[]> {
  if (traces.length === 0) return [];
  const wanted = new Set(traces.map(({ traceId }) => traceId));
  const byDay = new Map<string, Span[]>();
  for (const span of [...changed, ...more]) {
    const day = days.get(span.traceId);
    if (day === undefined || !wanted.has(span.traceId)) continue;
    const ofDay = byDay.get(day);
    if (ofDay === undefined) byDay.set(day, [span]);
    else ofDay.push(span);
  }
  const marked: Span[] = [];
  for (const [day, spans] of byDay) {
    const names = [spans.map(({ traceId }) => traceId), spans.map(({ spanId }) => spanId)];
    marked.push(...(await run(statement, [ctx.workspaceId, day, senderId, ...names])));
  }
  return marked;
}
