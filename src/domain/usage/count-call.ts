import type { UsageCall } from "./usage-call.ts";

/** What one sender's spans of a trace have said so far. It only grows, whatever the order. */
export type TraceUsage = { hasCall: boolean; hasSentCall: boolean; hasSentSum: boolean };

/**
 * Which spans of a trace count. `sums`: it has sums over calls without the calls. `sentSums`: the costs of its calls
 * are computed, and sums say what they really were.
 */
export type Counting = "sums" | "sentSums" | "calls";

export function findCounting({ hasCall, hasSentCall, hasSentSum }: TraceUsage): Counting {
  if (!hasCall) return "sums";
  return hasSentSum && !hasSentCall ? "sentSums" : "calls";
}

/**
 * Decides what of a span's usage counts, so that each call counts once: calls do, and sums around them don't. Without
 * calls the outermost sums do; where only sums say a cost, the outermost of them have the cost of the calls within.
 */
export function countCall(
  counting: Counting,
  call: Pick<UsageCall, "role" | "isTwin" | "withinSum" | "withinSentSum" | "costSource">,
): { countsTokens: boolean; countsCost: boolean } {
  const { role, isTwin, withinSum, withinSentSum, costSource } = call;
  const isCall = role === "leaf" && !isTwin;
  switch (counting) {
    case "sums":
      return both(role === "aggregate" && !withinSum);
    case "sentSums":
      return {
        countsTokens: isCall,
        countsCost: !withinSentSum && (isCall || (role === "aggregate" && costSource === "sent")),
      };
    case "calls":
      return both(isCall);
  }
}

function both(counts: boolean): { countsTokens: boolean; countsCost: boolean } {
  return { countsTokens: counts, countsCost: counts };
}

/** Whether a call is only the same call said once more, around the one that it is. */
export function isTwinOf(
  outer: Pick<UsageCall, "traceId" | "callKey" | "parentKey" | "op" | "model" | "role">,
  inner: Pick<UsageCall, "traceId" | "callKey" | "parentKey" | "op" | "model" | "role">,
): boolean {
  return (
    outer.role === "leaf" &&
    inner.role === "leaf" &&
    inner.traceId === outer.traceId &&
    inner.parentKey === outer.callKey &&
    inner.callKey !== outer.callKey &&
    // Two that are each other's parents are none's.
    outer.parentKey !== inner.callKey &&
    inner.op === outer.op &&
    inner.model === outer.model
  );
}
