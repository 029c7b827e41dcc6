import type { SpanPlace } from "./server-span.ts";

/** Returns the trace id of a W3C traceparent header, or null. @see https://www.w3.org/TR/trace-context/ */
export function parseTraceId(traceparent: string | null): string | null {
  return parseTraceparent(traceparent)?.traceId ?? null;
}

/** Returns the caller's place in its trace; null without one. */
export function parseTraceparent(traceparent: string | null): SpanPlace | null {
  const match = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? "");
  const [, traceId = NO_TRACE, spanId = NO_SPAN] = match ?? [];
  return traceId === NO_TRACE || spanId === NO_SPAN ? null : { traceId, spanId };
}

const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);
