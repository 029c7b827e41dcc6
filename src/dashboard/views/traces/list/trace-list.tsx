import { useState } from "react";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { TRACE_COLUMNS } from "./trace-columns.tsx";
import { TRACES_STATE, TraceFilters, toTraceFilter } from "./trace-filters.tsx";
import { TRACES_FRESHNESS, TracesQuery } from "./trace-rows.ts";

/** What agents did, those traces first that began to arrive last. */
export function TraceList() {
  const [isPaused, setIsPaused] = useState(false);
  const { values } = useUrlState(TRACES_STATE);
  const filter = toTraceFilter(values);
  const query = useLiveQuery(
    TracesQuery,
    { ...usePaging(), filter },
    isPaused ? { types: [] } : TRACES_FRESHNESS,
  );
  function toggle(): void {
    setIsPaused(!isPaused);
    if (isPaused) query.refresh();
  }

  return (
    <Page
      title="Traces"
      lead={`What agents did, step by step. ${isPaused ? "Paused." : "New ones appear by themselves."}`}
      action={
        <button type="button" className="button" onClick={toggle}>
          {isPaused ? "Resume" : "Pause"}
        </button>
      }
    >
      <TraceFilters />
      <DataTable
        one="trace"
        many="traces"
        columns={TRACE_COLUMNS}
        query={query}
        page={query.data?.traces ?? null}
        getKey={({ traceId }) => traceId}
        getHref={({ traceId }) => `/traces/${traceId}`}
        allAt={isNarrowed(filter) ? "/traces" : null}
        empty={
          <Empty title="No traces yet">
            When an agent sends its OpenTelemetry spans to POST /v1/traces, they appear here.
          </Empty>
        }
      />
    </Page>
  );
}
