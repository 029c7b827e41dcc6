import type { Transaction } from "../kernel/context.ts";
import { addToTraces } from "./add-to-traces.ts";
import { chargeCalls } from "./charge-calls.ts";
import { findCounting } from "./count-call.ts";
import { markWithinSums } from "./mark-within-sums.ts";
import { reviseSpanCalls } from "./revise-span-calls.ts";
import { NOTE_USAGE, type NotedUsage } from "./span-usage-statements.ts";
import type { ChargedSpans } from "./span-call.ts";

/**
 * Charges what spans say that calls used, each call once, whatever is sent in whatever order and how often:
 *
 * 1. Calls count, sums around them don't. 2. Of a call that is said twice, one span within the other, the inner one
 * counts. 3. Of a trace with sums alone, the outermost count, until its first call comes. 4. Where only sums say a
 * cost, the outermost of them have the cost of the calls within. 5. See {@link chargeCalls}.
 *
 * Spans of one sender don't change what counts of another's. What counts is added to the traces, which are locked.
 */
export async function chargeSpans(tx: Transaction, given: ChargedSpans): Promise<void> {
  const noted = await noteUsage(tx, given);
  const marked = await markWithinSums(tx, given, noted);
  const revised = noted.filter(isChanged);
  const touched = new Set(
    [...given.calls, ...marked.inSums, ...marked.inSentSums, ...revised].map(({ traceId }) => traceId),
  );
  if (touched.size === 0) return;
  const changes = await chargeCalls(tx, {
    senderId: given.senderId,
    signal: "span",
    sessionKeys: noted
      .filter(({ traceId }) => touched.has(traceId))
      .flatMap(({ sessionKey, before }) => [sessionKey, before?.sessionKey ?? sessionKey]),
    revise: () =>
      reviseSpanCalls(tx, { ...given, noted, marked, whole: revised.map(({ traceId }) => traceId) }),
  });
  addToTraces(tx, changes, given.calls);
}

type Said = Record<"call" | "sentCall" | "sentSum", boolean> & {
  conversationId: string | null;
  taskId: string | null;
  isUsed: boolean;
};

/** Of traces with usage, now or before. */
async function noteUsage(
  { ctx, run }: Transaction,
  { senderId, spans, calls }: ChargedSpans,
): Promise<NotedUsage[]> {
  const said = new Map<string, Said>();
  for (const { traceId, conversationId, taskId } of spans) {
    const known = said.get(traceId) ?? createSaid();
    known.conversationId ??= conversationId;
    known.taskId ??= taskId;
    said.set(traceId, known);
  }
  for (const { traceId, role, costSource } of calls) {
    const one = said.get(traceId);
    if (one === undefined) continue;
    const isSent = costSource === "sent";
    one.isUsed = true;
    one.call ||= role === "leaf";
    one.sentCall ||= role === "leaf" && isSent;
    one.sentSum ||= role === "aggregate" && isSent;
  }
  const rows = [...said.values()];
  return run(NOTE_USAGE, [
    ...[ctx.workspaceId, senderId, [...said.keys()]],
    ...[rows.map(({ conversationId }) => conversationId), rows.map(({ taskId }) => taskId)],
    ...[rows.map(({ isUsed }) => isUsed), rows.map(({ call }) => call)],
    ...[rows.map(({ sentCall }) => sentCall), rows.map(({ sentSum }) => sentSum)],
  ]);
}

function createSaid(): Said {
  return { conversationId: null, taskId: null, isUsed: false, call: false, sentCall: false, sentSum: false };
}

/** Whether what is stored of the trace's calls is to be looked at again. At most a few times in its life. */
function isChanged({ before, ...now }: NotedUsage): boolean {
  return (
    before !== null &&
    (findCounting(before) !== findCounting(now) ||
      before.sessionKey !== now.sessionKey ||
      before.taskId !== now.taskId)
  );
}
