const TRACE_ID = /^[0-9a-f]{32}$/i;

/** Whether a text is a trace's id, as OpenTelemetry writes it. */
export function isTraceId(text: string): boolean {
  return TRACE_ID.test(text);
}

/** The id of a trace, which our own ids write with hyphens. */
export function toTraceId(uuid: string): string {
  return uuid.replaceAll("-", "");
}
