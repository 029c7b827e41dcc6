import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { globalId } from "../../../../data/global-id.ts";
import { graphql } from "../../../../data/graphql.ts";
import { useLiveQuery } from "../../../../data/use-live-query.ts";
import { usePaging } from "../../../../data/use-paging.ts";
import { Empty } from "../../../../ui/empty.tsx";
import { StatusChip } from "../../../../ui/status-chip.tsx";
import { DataTable } from "../../../../ui/table/data-table.tsx";
import type { Column } from "../../../../ui/table/row.tsx";
import { TimeAgo } from "../../../../ui/time-ago.tsx";

const AgentCommandsQuery = graphql(`
  query CommandsOfAgent($first: Int, $after: String, $last: Int, $before: String, $agentId: ID!) {
    agentCommands(first: $first, after: $after, last: $last, before: $before, filter: { agentId: $agentId }) {
      totalCount
      nodes {
        id
        uuid
        type
        status
        createdAt
        issuedBy {
          name
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`);

type AgentCommand = ResultOf<typeof AgentCommandsQuery>["agentCommands"]["nodes"][number];

const COLUMNS: readonly Column<AgentCommand>[] = [
  { header: "Command", cell: ({ type }) => type },
  { header: "Status", cell: ({ status }) => <StatusChip status={status} /> },
  { header: "Issued by", cell: ({ issuedBy }) => issuedBy.name },
  { header: "Issued", cell: ({ createdAt }) => <TimeAgo at={createdAt} />, isEnd: true },
];

/** What an agent was told to do. */
export function CommandsTab({ uuid }: { uuid: string }) {
  const agentId = globalId("Agent", uuid);
  const query = useLiveQuery(
    AgentCommandsQuery,
    { ...usePaging(20), agentId },
    { types: ["agent_command.*"], apartMs: 1000 },
  );
  return (
    <DataTable
      one="command"
      many="commands"
      columns={COLUMNS}
      query={query}
      page={query.data?.agentCommands ?? null}
      keyOf={(command) => command.uuid}
      hrefOf={(command) => `/commands/${command.uuid}`}
      empty={
        <Empty title="It was never told anything">
          <Link href={`/commands/new?agent=${uuid}`}>Issue a command</Link>
        </Empty>
      }
    />
  );
}
