import { Link } from "wouter";
import { isTraceId } from "../../../data/trace-id.ts";
import { toVisibleText } from "../../../ui/to-visible-text.ts";

/** Links from a span to spans of other traces, which may not be stored here. */
export function SpanLinks({ links }: { links: unknown }) {
  const ids = Array.isArray(links) ? links.flatMap(readIds) : [];
  if (ids.length === 0) return null;
  return (
    <section className="stack-s" aria-label="Links">
      <h3>Links</h3>
      <ul>
        {ids.map(({ traceId, spanId }) => (
          <li key={`${traceId} ${spanId}`}>
            <Link className="traces-id" href={`/traces/${traceId}?span=${encodeURIComponent(spanId)}`}>
              {toVisibleText(`${traceId} ${spanId}`)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function readIds(link: unknown): { traceId: string; spanId: string }[] {
  if (typeof link !== "object" || link === null || !("trace_id" in link) || !("span_id" in link)) return [];
  const { trace_id: traceId, span_id: spanId } = link;
  if (typeof traceId !== "string" || typeof spanId !== "string" || !isTraceId(traceId)) return [];
  return [{ traceId, spanId }];
}
