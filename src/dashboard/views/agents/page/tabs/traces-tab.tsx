import { toGlobalId } from "../../../../data/global-id.ts";
import { useLiveQuery } from "../../../../data/use-live-query.ts";
import { usePaging } from "../../../../data/use-paging.ts";
import { Empty } from "../../../../ui/empty.tsx";
import { DataTable } from "../../../../ui/table/data-table.tsx";
import { AGENT_TRACE_COLUMNS } from "../../../traces/list/trace-columns.tsx";
import { TRACES_FRESHNESS, TracesQuery } from "../../../traces/list/trace-rows.ts";

/** An agent's traces. */
export function TracesTab({ uuid }: { uuid: string }) {
  const variables = { ...usePaging(20), filter: { agentId: toGlobalId("Agent", uuid) } };
  const query = useLiveQuery(TracesQuery, variables, TRACES_FRESHNESS);
  return (
    <DataTable
      one="trace"
      many="traces"
      columns={AGENT_TRACE_COLUMNS}
      query={query}
      page={query.data?.traces ?? null}
      getKey={({ traceId }) => traceId}
      getHref={({ traceId }) => `/traces/${traceId}`}
      empty={<Empty title="No traces yet">What the agent sends with OpenTelemetry appears here.</Empty>}
    />
  );
}
