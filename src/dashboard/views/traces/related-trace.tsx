import { Link } from "wouter";
import { findUuid, toGlobalId } from "../../data/global-id.ts";
import { graphql } from "../../data/graphql.ts";
import { useLiveQuery } from "../../data/use-live-query.ts";
import { getTraceName } from "./get-trace-name.ts";
import { TRACES_FRESHNESS } from "./list/trace-rows.ts";
import { TraceChips } from "./trace-chips.tsx";
import { TraceDuration } from "./trace-duration.tsx";

const RelatedTraceQuery = graphql(`
  query RelatedTrace($id: ID!) {
    node(id: $id) {
      id
      ... on Trace {
        traceId
        rootName
        taskTitle
        status
        openCount
        lost
        errorCount
        startedAt
        endedAt
      }
    }
  }
`);

/** The trace with an id, given with or without hyphens. Nothing if none has arrived. */
export function RelatedTrace({ traceId }: { traceId: string }) {
  const id = toGlobalId("Trace", findUuid(traceId) ?? traceId);
  const { data } = useLiveQuery(RelatedTraceQuery, { id }, TRACES_FRESHNESS);
  const trace = data?.node ?? null;
  if (trace === null || !("traceId" in trace)) return null;
  return (
    <section className="card stack-s" aria-labelledby="related-trace">
      <h2 id="related-trace">Trace</h2>
      <Link href={`/traces/${trace.traceId}`}>{getTraceName(trace)}</Link>
      <div className="in-line">
        <TraceChips trace={trace} />
        <TraceDuration trace={trace} />
      </div>
    </section>
  );
}
