import { useState } from "react";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { type PageVariables, usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { DeleteTracesButton } from "./delete-traces.tsx";
import { PickBar, type Picked, createPickColumn } from "./picking.tsx";
import { TRACE_COLUMNS } from "./trace-columns.tsx";
import { SearchNote } from "./search-note.tsx";
import { TRACES_STATE, TraceFilters, isSearch, toTraceFilter } from "./trace-filters.tsx";
import { SEARCH_FRESHNESS, TRACES_FRESHNESS, type TracesPage, TracesQuery } from "./trace-rows.ts";

/** What agents did, those traces first that began to arrive last. */
export function TraceList() {
  const [isPaused, setIsPaused] = useState(false);
  const [picked, setPicked] = useState<Picked | null>(null);
  const { agentId, conversationId } = toTraceFilter(useUrlState(TRACES_STATE).values);
  return (
    <Page
      title="Traces"
      lead={`What agents did, step by step. ${isPaused ? "Paused." : "New ones appear by themselves."}`}
      action={
        <>
          {picked === null && (
            <button type="button" className="button" onClick={() => setPicked([])}>
              Compare two
            </button>
          )}
          <button type="button" className="button" onClick={() => setIsPaused(!isPaused)}>
            {isPaused ? "Resume feed" : "Pause feed"}
          </button>
          <DeleteTracesButton chosen={{ agentId, conversationId }} />
        </>
      }
    >
      {picked !== null && <PickBar picked={picked} onEnd={() => setPicked(null)} />}
      <TraceFilters />
      <Rows isPaused={isPaused} picked={picked} onPick={setPicked} />
    </Page>
  );
}

type RowsProps = { isPaused: boolean; picked: Picked | null; onPick: (picked: Picked) => void };

const PAUSED = { types: [] };

function Rows({ isPaused, picked, onPick }: RowsProps) {
  const { values } = useUrlState(TRACES_STATE);
  const filter = toTraceFilter(values);
  const freshness = isSearch(filter) ? SEARCH_FRESHNESS : TRACES_FRESHNESS;
  const paging = usePaging();
  const query = useLiveQuery(TracesQuery, { ...paging, filter }, isPaused ? PAUSED : freshness);
  const page = query.data?.traces ?? null;
  return (
    <>
      {page !== null && <SearchNote page={page} />}
      <DataTable
        one="trace"
        many="traces"
        columns={picked === null ? TRACE_COLUMNS : [...TRACE_COLUMNS, createPickColumn(picked, onPick)]}
        query={query}
        page={page && countFound(page, paging)}
        countsUpTo={isSearch(filter) ? page?.nodes.length : undefined}
        getKey={({ traceId }) => traceId}
        getHref={({ traceId }) => `/traces/${traceId}`}
        allAt={isNarrowed(filter) ? "/traces" : null}
        empty={
          <Empty title="No traces yet">
            When an agent sends its OpenTelemetry spans to POST /v1/traces, they appear here.
          </Empty>
        }
      />
    </>
  );
}

/** A search counts nothing, but its only page has all that it found. */
function countFound(page: TracesPage, { after }: PageVariables): TracesPage {
  const isOnly = after === null && !page.pageInfo.hasNextPage && !page.pageInfo.hasPreviousPage;
  return isOnly ? { ...page, totalCount: page.nodes.length } : page;
}
