import type { SearchPosition } from "../search/search-position.ts";
import type { ExportedSpan } from "./read-exported-spans.ts";

/** Where reading goes on after a span. */
export function toPosition(
  span: Pick<ExportedSpan, "createdAt" | "traceId" | "spanId"> | undefined,
): SearchPosition {
  if (span === undefined) throw new Error("a page without spans has no end");
  return { createdAt: span.createdAt, id: span.traceId, spanId: span.spanId };
}
