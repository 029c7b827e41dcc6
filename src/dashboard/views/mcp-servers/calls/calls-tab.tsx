import { isUuid, toGlobalId } from "../../../data/global-id.ts";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { AgentField } from "../../../ui/form/agent-field.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { type Option, SelectField } from "../../../ui/form/select-field.tsx";
import { SuggestField } from "../../../ui/form/suggest-field.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { EXECUTION_STATUSES } from "../../executions/execution-fields.ts";
import type { ShownServer } from "../server-fields.ts";
import { CALL_COLUMNS } from "./call-columns.tsx";
import { CALL_FRESHNESS, McpCalls } from "./call-fields.ts";
import { UnknownCalls } from "./unknown-calls.tsx";

/** Filters in the URL, with their defaults. */
const STATE = { status: "", tool: "", agent: "" };

const STATUS_OPTIONS: readonly Option[] = [
  ["", "All"],
  ["UNKNOWN", "Outcome unknown"],
  ["STARTED", "Started"],
  ["FAILED", "Failed"],
  ["COMPLETED", "Completed"],
];

/** The calls of a server's tools, newest first. Each leads to its execution, where people resolve it. */
export function CallsTab({ server }: { server: ShownServer }) {
  const { values, bind } = useUrlState(STATE);
  const narrowed = {
    status: EXECUTION_STATUSES.find((status) => status === values.status) ?? null,
    tool: values.tool === "" ? null : values.tool,
    agentId: isUuid(values.agent) ? toGlobalId("Agent", values.agent) : null,
  };
  const filter = { serverId: server.id, ...narrowed };
  const query = useLiveQuery(McpCalls, { ...usePaging(), filter }, CALL_FRESHNESS);
  const tools = [...new Set((query.data?.mcpCalls.nodes ?? []).map(({ tool }) => tool))];
  return (
    <>
      {narrowed.status === null && <UnknownCalls server={server} />}
      <Filters>
        <SelectField label="Status" options={STATUS_OPTIONS} {...bind("status")} />
        <SuggestField key={values.tool} label="Tool" known={tools} {...bind("tool")} />
        <AgentField label="Agent" none="All" {...bind("agent")} />
      </Filters>
      <DataTable
        one="call"
        many="calls"
        columns={CALL_COLUMNS}
        query={query}
        page={query.data?.mcpCalls ?? null}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/executions/${uuid}`}
        allAt={isNarrowed(narrowed) ? `/mcp-servers/${server.uuid}/calls` : null}
        empty={
          <Empty title="No calls yet">
            Calls that agents make at <code>/mcp/proxy/{server.slug}</code> appear here. What policies deny is
            among the decisions.
          </Empty>
        }
      />
    </>
  );
}
