import type { ResultOf } from "gql.tada";
import { ControlChips } from "../../../app/emergency-stop/control-chips.tsx";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Filters } from "../../../ui/form/filters.tsx";
import { LabelsField } from "../../../ui/form/labels-field.tsx";
import { toOptions } from "../../../ui/form/option-list.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { Page } from "../../../ui/page.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toWords } from "../../../ui/words.ts";
import { AgentListQuery, type ListedAgent } from "./agent-list-query.ts";
import { BULK_AGENTS } from "./bulk-agents.ts";
import { AGENTS_STATE, toAgentFilter, AGENT_KINDS, CONTROL_STATES, PRESENCES } from "./agent-filter.ts";
import { Link } from "wouter";

/** Presence also changes without events. */
const FRESHNESS = {
  types: ["agent.*", "task.*", "workspace.*", "agent_command.*"],
  everyMs: 5000,
  apartMs: 1000,
};

const COLUMNS: readonly Column<ListedAgent>[] = [
  { header: "Agent", cell: ({ name }) => name },
  { header: "Handle", cell: ({ handle }) => <code>{handle}</code> },
  { header: "Presence", cell: ({ presence }) => <StatusChip status={presence} /> },
  { header: "Control", cell: ControlChips },
  { header: "Current work", cell: Work },
  { header: "Kind", cell: ({ kind }) => toWords(kind) },
  { header: "Version", cell: ({ version }) => version ?? <span className="soft">–</span> },
  { header: "Last seen", cell: ({ lastSeenAt }) => <TimeAgo at={lastSeenAt} />, isEnd: true },
];

/** The list of agents, without archived ones. */
export function AgentList() {
  const filter = toAgentFilter(useUrlState(AGENTS_STATE).values);
  const mayAct = useIsAtLeast("OPERATOR");
  const variables = { filter: { ...filter, archived: false } };
  const query = useLiveQuery(AgentListQuery, { ...usePaging(), ...variables }, FRESHNESS);
  const source = { query: AgentListQuery, variables, pick: pickAgents };
  return (
    <Page title="Agents">
      <AgentFilters />
      <DataTable
        one="agent"
        many="agents"
        columns={COLUMNS}
        query={query}
        page={query.data?.agents ?? null}
        source={source}
        bulk={mayAct ? { ...BULK_AGENTS, source } : undefined}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/agents/${uuid}`}
        allAt={isNarrowed(filter) ? "/agents" : null}
        empty={
          <Empty
            title="No agents yet"
            role="ADMIN"
            otherwise="Agents appear here when they first use an API key. Ask an admin to create one."
          >
            Create an <a href="/settings/api-keys">API key</a>. An agent appears here when it first uses the
            key.
          </Empty>
        }
      />
    </Page>
  );
}

function pickAgents({ agents }: ResultOf<typeof AgentListQuery>) {
  return agents;
}

function Work({ uuid, kind, currentTasks: [first, ...others] }: ListedAgent) {
  if (first === undefined && kind === "ROBOT") return <Link href={`/robots/${uuid}`}>View robot</Link>;
  if (first === undefined) return <span className="soft">–</span>;
  return (
    <span>
      <Link href={`/tasks/${first.uuid}`}>{first.title}</Link>
      {others.length > 0 && <span className="soft"> and {others.length} more</span>}
    </span>
  );
}

function AgentFilters() {
  const { values, bind } = useUrlState(AGENTS_STATE);
  return (
    <Filters>
      <TextField label="Search by name or handle" type="search" {...bind("q")} />
      <SelectField label="Kind" options={toOptions(AGENT_KINDS)} {...bind("kind")} />
      <SelectField label="Presence" options={toOptions(PRESENCES)} {...bind("presence")} />
      <SelectField label="Control state" options={toOptions(CONTROL_STATES)} {...bind("control")} />
      <LabelsField key={values.labels} {...bind("labels")} />
    </Filters>
  );
}
