import { useMemo } from "react";
import { Link, useLocation } from "wouter";
import { usePaletteEntries } from "../../../app/palette/entries.ts";
import { globalId, isUuid } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { COMMAND_STATUSES } from "../command-statuses.ts";
import { COMMAND_COLUMNS } from "./command-columns.tsx";
import { COMMANDS_STATE, CommandFilters } from "./command-filters.tsx";
import { CommandsQuery } from "./command-rows.ts";

/** The workspace's commands, the newest first. */
export function CommandList() {
  const { values } = useUrlState(COMMANDS_STATE);
  const filter = {
    agentId: isUuid(values.agent) ? globalId("Agent", values.agent) : null,
    status: COMMAND_STATUSES.find((status) => status === values.status) ?? null,
    type: values.type === "" ? null : values.type,
    batchId: isUuid(values.batch) ? values.batch : null,
  };
  const query = useLiveQuery(CommandsQuery, { ...usePaging(), filter }, { types: ["agent_command.*"] });
  const isNarrowed = Object.values(filter).some((value) => value !== null);
  const mayIssue = useIsAtLeast("OPERATOR");
  useIssueEntry(mayIssue);
  return (
    <Page
      title="Commands"
      action={
        mayIssue && (
          <Link className="button button-primary" href="/commands/new">
            Issue a command
          </Link>
        )
      }
    >
      <CommandFilters />
      <DataTable
        one="command"
        many="commands"
        columns={COMMAND_COLUMNS}
        query={query}
        page={query.data?.agentCommands ?? null}
        keyOf={({ uuid }) => uuid}
        hrefOf={({ uuid }) => `/commands/${uuid}`}
        empty={
          isNarrowed ? (
            <Empty title="No command is like this">
              <Link href="/commands">See all commands</Link>
            </Empty>
          ) : (
            <Empty title="No command was issued yet">
              <Link href="/commands/new">Issue the first one</Link>, such as to pause an agent.
            </Empty>
          )
        }
      />
    </Page>
  );
}

function useIssueEntry(mayIssue: boolean): void {
  const [, go] = useLocation();
  const entries = useMemo(
    () =>
      mayIssue
        ? [{ key: "commands-new", label: "Issue a command", kind: "Act", to: () => go("/commands/new") }]
        : [],
    [mayIssue, go],
  );
  usePaletteEntries(entries);
}
