import { isUuid, toGlobalId } from "../../../data/global-id.ts";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { EXECUTION_STATUSES, EXECUTION_FRESHNESS, ExecutionsQuery } from "../execution-fields.ts";
import { EXECUTION_COLUMNS } from "./execution-columns.tsx";
import { UnknownExecutions } from "./unknown-executions.tsx";

/** Filters in the URL, with their defaults. */
const STATE = { status: "", agent: "" };

const STATUS_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["UNKNOWN", "Outcome unknown"],
  ["STARTED", "Started"],
  ["FAILED", "Failed"],
  ["UNREPORTED", "Not reported"],
  ["COMPLETED", "Completed"],
  ["RETRIED", "Retried"],
];

/** Those of unknown outcome, and below all executions, newest first. */
export function ExecutionList() {
  const { values, bind } = useUrlState(STATE);
  const filter = {
    status: EXECUTION_STATUSES.find((status) => status === values.status) ?? null,
    agentId: isUuid(values.agent) ? toGlobalId("Agent", values.agent) : null,
  };
  const query = useLiveQuery(ExecutionsQuery, { ...usePaging(), filter }, EXECUTION_FRESHNESS);
  return (
    <Page title="Executions" lead="What agents did with a permission, and how it ended.">
      {!isNarrowed(filter) && <UnknownExecutions />}
      <Filters>
        <SelectField label="Status" options={STATUS_OPTIONS} {...bind("status")} />
        <AgentField label="Agent" none="All" {...bind("agent")} />
      </Filters>
      <DataTable
        one="execution"
        many="executions"
        columns={EXECUTION_COLUMNS}
        query={query}
        page={query.data?.executions ?? null}
        source={{ query: ExecutionsQuery, variables: { filter }, pick: ({ executions }) => executions }}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/executions/${uuid}`}
        allAt={isNarrowed(filter) ? "/executions" : null}
        empty={
          <Empty title="No executions yet">
            When an agent begins what was allowed or approved, and says so, it appears here.
          </Empty>
        }
      />
    </Page>
  );
}
