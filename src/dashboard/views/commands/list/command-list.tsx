import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { ActLink } from "../../../app/act-link.tsx";
import { toGlobalId, isUuid } from "../../../data/global-id.ts";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { COMMAND_STATUSES } from "../command-statuses.ts";
import { BULK_COMMANDS } from "./bulk-commands.ts";
import { COMMAND_COLUMNS } from "./command-columns.tsx";
import { COMMANDS_STATE, CommandFilters } from "./command-filters.tsx";
import { CommandsQuery } from "./command-rows.ts";

/** The list of commands, newest first. */
export function CommandList() {
  const { values } = useUrlState(COMMANDS_STATE);
  const filter = {
    agentId: isUuid(values.agent) ? toGlobalId("Agent", values.agent) : null,
    status: COMMAND_STATUSES.find((status) => status === values.status) ?? null,
    type: values.type === "" ? null : values.type,
    batchId: isUuid(values.batch) ? values.batch : null,
  };
  const mayAct = useIsAtLeast("OPERATOR");
  const query = useLiveQuery(CommandsQuery, { ...usePaging(), filter }, { types: ["agent_command.*"] });
  const source = { query: CommandsQuery, variables: { filter }, pick: pickCommands };
  return (
    <Page title="Commands" action={<ActLink href="/commands/new" label="Issue command" />}>
      <CommandFilters />
      <DataTable
        one="command"
        many="commands"
        columns={COMMAND_COLUMNS}
        query={query}
        page={query.data?.agentCommands ?? null}
        source={source}
        bulk={mayAct ? { ...BULK_COMMANDS, source } : undefined}
        getKey={({ uuid }) => uuid}
        getHref={({ uuid }) => `/commands/${uuid}`}
        allAt={isNarrowed(filter) ? "/commands" : null}
        empty={
          <Empty title="No commands yet" role="OPERATOR" otherwise="Commands to agents appear here.">
            <Link href="/commands/new">Issue the first one</Link>, for example to pause an agent.
          </Empty>
        }
      />
    </Page>
  );
}

function pickCommands({ agentCommands }: ResultOf<typeof CommandsQuery>) {
  return agentCommands;
}
