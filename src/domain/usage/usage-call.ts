import type { CostSource, SpanOp, UsageRole, UsageSignal } from "../../db/generated/enums.ts";

/** A call as one signal says it, as it is stored. */
export type UsageCall = {
  traceId: string;
  /** Of a span its id, in hex. */
  callKey: string;
  signal: UsageSignal;
  /** The agent whose credential sent it. */
  senderId: string;
  /** The conversation, or the trace without one. */
  sessionKey: string;
  /** Who made the call. */
  agentId: string;
  taskId: string | null;
  reservationId: string | null;
  parentKey: string | null;
  op: SpanOp;
  role: UsageRole;
  model: string | null;
  inputTokens: bigint | null;
  cacheReadTokens: bigint | null;
  cacheWriteTokens: bigint | null;
  outputTokens: bigint | null;
  /** In pico-dollars; null if nobody knows. */
  costPico: bigint | null;
  costSource: CostSource;
  isTwin: boolean;
  withinSum: boolean;
  withinSentSum: boolean;
  countsTokens: boolean;
  countsCost: boolean;
  charged: boolean;
  /** Whether it is charged as one of other models, which are summed together. */
  isOtherModel: boolean;
  chargedAt: Date;
};

/** A call as it was stored, null if it was not, and as it is now. */
export type CallChange = { before: UsageCall | null; after: UsageCall };

/** What is summed. */
export type UsageAmounts = {
  calls: bigint;
  inputTokens: bigint;
  cacheReadTokens: bigint;
  cacheWriteTokens: bigint;
  outputTokens: bigint;
  costPico: bigint;
  unpricedCalls: bigint;
};

/** The names of {@link UsageAmounts}. */
export const AMOUNTS = [
  ...(["calls", "inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"] as const),
  ...(["costPico", "unpricedCalls"] as const),
] as const;

export function createNoAmounts(): UsageAmounts {
  return {
    calls: 0n,
    inputTokens: 0n,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
    outputTokens: 0n,
    costPico: 0n,
    unpricedCalls: 0n,
  };
}

/** What a call adds to the sums of its trace; to those of its agent too if it is charged. */
export function getAmounts(call: UsageCall): UsageAmounts {
  const { countsTokens, countsCost, costPico } = call;
  function count(tokens: bigint | null): bigint {
    return countsTokens ? (tokens ?? 0n) : 0n;
  }
  return {
    calls: countsTokens ? 1n : 0n,
    inputTokens: count(call.inputTokens),
    cacheReadTokens: count(call.cacheReadTokens),
    cacheWriteTokens: count(call.cacheWriteTokens),
    outputTokens: count(call.outputTokens),
    costPico: countsCost ? (costPico ?? 0n) : 0n,
    unpricedCalls: countsCost && costPico === null ? 1n : 0n,
  };
}

/** Whether a call adds anything to the sums of its agent. */
export function isCharged(call: UsageCall): boolean {
  const amounts = getAmounts(call);
  return call.charged && AMOUNTS.some((name) => amounts[name] !== 0n);
}

/** Adds amounts to a sum, or with -1 takes them off. */
export function addAmounts(sum: UsageAmounts, amounts: UsageAmounts, sign: 1n | -1n): void {
  for (const name of AMOUNTS) sum[name] += sign * amounts[name];
}

/** Identifies a call of a signal. */
export function toCallName({ traceId, callKey }: Pick<UsageCall, "traceId" | "callKey">): string {
  return `${traceId} ${callKey}`;
}
