import type { Transaction } from "../kernel/context.ts";
import { READ_CALLS, toUsageCall } from "./call-statements.ts";
import { type SessionCalls, chargeCalls } from "./charge-calls.ts";
import { type CallChange, type UsageCall, toCallName } from "./usage-call.ts";

/** What a log says of one call. */
export type ChargedLog = Pick<
  UsageCall,
  | "traceId"
  | "callKey"
  | "sessionKey"
  | "agentId"
  | "taskId"
  | "reservationId"
  | "model"
  | "inputTokens"
  | "cacheReadTokens"
  | "cacheWriteTokens"
  | "outputTokens"
  | "costPico"
  | "costSource"
>;

type ChargedLogs = Pick<SessionCalls, "senderId" | "signal"> & { calls: readonly ChargedLog[] };

/**
 * Charges the calls of logs, each once: of copies the most tokens and the highest cost count.
 *
 * @returns how many are new.
 */
export async function chargeLogs(tx: Transaction, given: ChargedLogs): Promise<number> {
  const { senderId, signal, calls } = given;
  const revised = await chargeCalls(tx, {
    senderId,
    signal,
    sessionKeys: calls.map(({ sessionKey }) => sessionKey),
    revise: () => reviseLogs(tx, given),
  });
  return revised.filter(({ before }) => before === null).length;
}

async function reviseLogs(tx: Transaction, { senderId, signal, calls }: ChargedLogs): Promise<CallChange[]> {
  const rows = await tx.run(READ_CALLS, [
    ...[tx.ctx.workspaceId, senderId, signal],
    ...[calls.map(({ traceId }) => traceId), calls.map(({ callKey }) => callKey), []],
  ]);
  const chargedAt = await tx.now();
  const stored = new Map(rows.map((row) => [toCallName(row), toUsageCall(row)]));
  const changed = new Map<string, UsageCall>();
  for (const said of calls) {
    const name = toCallName(said);
    const known = changed.get(name) ?? stored.get(name);
    changed.set(
      name,
      known === undefined ? createCall(said, { senderId, signal, chargedAt }) : merge(known, said),
    );
  }
  return [...changed].map(([name, after]) => ({ before: stored.get(name) ?? null, after }));
}

function createCall(said: ChargedLog, own: Pick<UsageCall, "senderId" | "signal" | "chargedAt">): UsageCall {
  return {
    ...said,
    ...own,
    parentKey: null,
    op: "llm",
    role: "leaf",
    isTwin: false,
    withinSum: false,
    withinSentSum: false,
    countsTokens: true,
    countsCost: true,
    charged: false,
    isOtherModel: false,
  };
}

function merge(known: UsageCall, said: ChargedLog): UsageCall {
  const isDearer = (said.costPico ?? -1n) > (known.costPico ?? -1n);
  return {
    ...known,
    ...(isDearer && { costPico: said.costPico, costSource: said.costSource }),
    taskId: known.taskId ?? said.taskId,
    reservationId: known.reservationId ?? said.reservationId,
    inputTokens: max(known.inputTokens, said.inputTokens),
    cacheReadTokens: max(known.cacheReadTokens, said.cacheReadTokens),
    cacheWriteTokens: max(known.cacheWriteTokens, said.cacheWriteTokens),
    outputTokens: max(known.outputTokens, said.outputTokens),
  };
}

function max(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
