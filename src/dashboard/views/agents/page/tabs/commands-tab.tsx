import { Link } from "wouter";
import { toGlobalId } from "../../../../data/global-id.ts";
import { useLiveQuery } from "../../../../data/use-live-query.ts";
import { usePaging } from "../../../../data/use-paging.ts";
import { Empty } from "../../../../ui/empty.tsx";
import { DataTable } from "../../../../ui/table/data-table.tsx";
import { AGENT_COMMAND_COLUMNS } from "../../../commands/list/command-columns.tsx";
import { CommandsQuery } from "../../../commands/list/command-rows.ts";

/** Commands to an agent. */
export function CommandsTab({ uuid }: { uuid: string }) {
  const variables = { ...usePaging(20), filter: { agentId: toGlobalId("Agent", uuid) } };
  const query = useLiveQuery(CommandsQuery, variables, { types: ["agent_command.*"], apartMs: 1000 });
  return (
    <DataTable
      one="command"
      many="commands"
      columns={AGENT_COMMAND_COLUMNS}
      query={query}
      page={query.data?.agentCommands ?? null}
      getKey={(command) => command.uuid}
      getHref={(command) => `/commands/${command.uuid}`}
      empty={
        <Empty title="No commands yet" role="OPERATOR" otherwise="Commands issued to this agent appear here.">
          <Link href={`/commands/new?agent=${uuid}`}>Issue command</Link>
        </Empty>
      }
    />
  );
}
