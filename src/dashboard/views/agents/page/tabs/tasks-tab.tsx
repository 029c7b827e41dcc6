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

const AgentTasks = graphql(`
  query AgentTasks($first: Int, $after: String, $last: Int, $before: String, $agentId: ID!) {
    tasks(
      first: $first
      after: $after
      last: $last
      before: $before
      filter: { claimedByAgentId: $agentId }
    ) {
      totalCount
      nodes {
        id
        uuid
        title
        status
        queue
        updatedAt
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

type AgentTask = ResultOf<typeof AgentTasks>["tasks"]["nodes"][number];

const COLUMNS: readonly Column<AgentTask>[] = [
  { header: "Task", cell: ({ title }) => title },
  { header: "Status", cell: ({ status }) => <StatusChip status={status} /> },
  { header: "Queue", cell: ({ queue }) => queue },
  { header: "Changed", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, isEnd: true },
];

/** The tasks that an agent has taken up. */
export function TasksTab({ uuid }: { uuid: string }) {
  const agentId = globalId("Agent", uuid);
  const query = useLiveQuery(AgentTasks, { ...usePaging(20), agentId }, { types: ["task.*"], apartMs: 1000 });
  return (
    <DataTable
      one="task"
      many="tasks"
      columns={COLUMNS}
      query={query}
      page={query.data?.tasks ?? null}
      keyOf={(task) => task.uuid}
      hrefOf={(task) => `/tasks/${task.uuid}`}
      empty={
        <Empty title="It has taken up no task">
          <Link href="/tasks/new">Create a task</Link> in a queue that it works.
        </Empty>
      }
    />
  );
}
