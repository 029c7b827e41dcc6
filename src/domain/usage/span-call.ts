import type { UsageCall } from "./usage-call.ts";

/** What a span says of a call or of a sum over calls, with the task and the reservation that it names. */
export type SpanCall = Omit<
  UsageCall,
  | "signal"
  | "senderId"
  | "sessionKey"
  | "isTwin"
  | "withinSum"
  | "withinSentSum"
  | "countsTokens"
  | "countsCost"
  | "charged"
  | "isOtherModel"
  | "chargedAt"
>;

/** What one sender's spans say, stored before. */
export type ChargedSpans = {
  senderId: string;
  /** The days of their traces, whose rows are locked. */
  days: ReadonlyMap<string, string>;
  /** All of them, with what they name. */
  spans: readonly { traceId: string; conversationId: string | null; taskId: string | null }[];
  calls: readonly SpanCall[];
  /** Spans that are new, or have become a sum or got a parent. */
  changed: readonly { traceId: string; spanId: string }[];
};
