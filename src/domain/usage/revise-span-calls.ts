import type { Transaction } from "../kernel/context.ts";
import { READ_CALLS, toUsageCall } from "./call-statements.ts";
import type { ChargedSpans, SpanCall } from "./span-call.ts";
import { countCall, findCounting, isTwinOf } from "./count-call.ts";
import type { MarkedSpans } from "./mark-within-sums.ts";
import { type NotedUsage, TWINS } from "./span-usage-statements.ts";
import { type CallChange, type UsageCall, toCallName } from "./usage-call.ts";

/** `whole`: traces of which all calls are looked at. */
type Revision = ChargedSpans & {
  noted: readonly NotedUsage[];
  marked: MarkedSpans;
  whole: readonly string[];
};

/** Reads the calls that a batch may change, and decides anew what of them counts. */
export async function reviseSpanCalls(tx: Transaction, given: Revision): Promise<CallChange[]> {
  const [stored, now, twins] = await Promise.all([readCalls(tx, given), tx.now(), readTwins(tx, given)]);
  const calls = new Map([...stored].map(([name, call]) => [name, { ...call }]));
  for (const said of given.calls) {
    const name = toCallName(said);
    calls.set(name, {
      ...(calls.get(name) ?? createCall(given.senderId, now)),
      ...merge(calls.get(name), said),
    });
  }
  markTwins(given, { calls, twins });
  for (const { traceId, spanId } of given.marked.inSums)
    set(calls, { traceId, callKey: spanId }, "withinSum");
  for (const { traceId, spanId } of given.marked.inSentSums)
    set(calls, { traceId, callKey: spanId }, "withinSentSum");
  const usage = new Map(given.noted.map((one) => [one.traceId, one]));
  return [...calls].flatMap(([name, call]) => {
    const noted = usage.get(call.traceId);
    if (noted === undefined) return [];
    const after = {
      ...call,
      sessionKey: noted.sessionKey,
      taskId: call.taskId ?? noted.taskId,
      ...countCall(findCounting(noted), call),
    };
    return [{ before: stored.get(name) ?? null, after }];
  });
}

async function readCalls({ ctx, run }: Transaction, given: Revision): Promise<Map<string, UsageCall>> {
  const { senderId, calls, marked, whole } = given;
  const names = [
    ...calls,
    ...calls.flatMap(({ traceId, parentKey }) =>
      parentKey === null ? [] : [{ traceId, callKey: parentKey }],
    ),
    ...[...marked.inSums, ...marked.inSentSums].map(({ traceId, spanId }) => ({ traceId, callKey: spanId })),
  ];
  const rows = await run(READ_CALLS, [
    ...[ctx.workspaceId, senderId, "span"],
    ...[names.map(({ traceId }) => traceId), names.map(({ callKey }) => callKey), whole],
  ]);
  return new Map(rows.map((row) => [toCallName(row), toUsageCall(row)]));
}

type TwinName = Pick<UsageCall, "traceId" | "callKey">;

/** A call of which nothing is known yet. */
function createCall(senderId: string, chargedAt: Date): Omit<UsageCall, keyof SpanCall> {
  return {
    signal: "span",
    senderId,
    sessionKey: "",
    chargedAt,
    isTwin: false,
    withinSum: false,
    withinSentSum: false,
    countsTokens: false,
    countsCost: false,
    charged: false,
    isOtherModel: false,
  };
}

/** What copies leave out stays. */
function merge(known: UsageCall | undefined, said: SpanCall): SpanCall {
  return {
    ...said,
    taskId: said.taskId ?? known?.taskId ?? null,
    reservationId: said.reservationId ?? known?.reservationId ?? null,
  };
}

/** Reads what is around the calls of a batch. */
async function readTwins({ ctx, run }: Transaction, { senderId, calls }: Revision): Promise<TwinName[]> {
  const leaves = calls.filter(isLeaf);
  if (leaves.length === 0) return [];
  return run(TWINS, [
    ...[ctx.workspaceId, senderId],
    ...[leaves.map(({ traceId }) => traceId), leaves.map(({ callKey }) => callKey)],
    ...[leaves.map(({ parentKey }) => parentKey), leaves.map(({ op }) => op)],
    leaves.map(({ model }) => model),
  ]);
}

/** Looks both ways: what is around a call may come before or after it. */
function markTwins(
  { calls: said }: Revision,
  { calls, twins }: { calls: Map<string, UsageCall>; twins: readonly TwinName[] },
): void {
  for (const inner of said.filter(isLeaf)) {
    const outer = calls.get(toCallName({ traceId: inner.traceId, callKey: inner.parentKey ?? "" }));
    if (outer !== undefined && isTwinOf(outer, inner)) outer.isTwin = true;
  }
  for (const twin of twins) set(calls, twin, "isTwin");
}

function isLeaf({ role }: SpanCall): boolean {
  return role === "leaf";
}

function set(
  calls: Map<string, UsageCall>,
  name: Pick<UsageCall, "traceId" | "callKey">,
  flag: "isTwin" | "withinSum" | "withinSentSum",
): void {
  const call = calls.get(toCallName(name));
  if (call !== undefined) call[flag] = true;
}
