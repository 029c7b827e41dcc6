/** Returns the trace id of a W3C traceparent header, or null. @see https://www.w3.org/TR/trace-context/ */
export function parseTraceId(traceparent: string | null): string | null {
  const match = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent ?? "");
  const traceId = match?.[1] ?? null;
  return traceId === "0".repeat(32) ? null : traceId;
}
