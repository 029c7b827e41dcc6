import { Link } from "wouter";
import { useLiveQuery } from "../../../../data/use-live-query.ts";
import { toVisibleText } from "../../../../ui/to-visible-text.ts";
import type { FirstError } from "./list-spans.ts";
import { FirstErrorQuery } from "./time-line-query.ts";

/** Which span failed first, and what it says. */
export function FirstErrorNote({ error: { traceId, spanId, name } }: { error: FirstError }) {
  const { data } = useLiveQuery(FirstErrorQuery, { traceId, spanId }, { types: [] });
  const message = data?.trace.span?.statusMessage ?? null;
  return (
    <p className="notice notice-warn">
      <strong>First error:</strong>{" "}
      <Link href={`/traces/${traceId}?span=${spanId}`}>{toVisibleText(name)}</Link>
      {message !== null && `: ${toVisibleText(message)}`}
    </p>
  );
}
