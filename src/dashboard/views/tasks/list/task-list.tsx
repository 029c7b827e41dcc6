import type { ResultOf } from "gql.tada";
import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { TASKS_STATE, taskFilterOf, taskStatusOf } from "../task-filter.ts";
import { taskOrderOf } from "./task-order.ts";

const TaskListQuery = graphql(`
  query TaskList(
    $first: Int
    $after: String
    $last: Int
    $before: String
    $filter: TaskFilter
    $orderBy: TaskOrder
  ) {
    tasks(first: $first, after: $after, last: $last, before: $before, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        id
        uuid
        title
        status
        queue
        attempt
        maxAttempts
        priority
        createdAt
        updatedAt
        cancelRequestedAt
        claimedByAgent {
          id
          name
          uuid
        }
        assigneeAgent {
          id
          name
          uuid
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

type ListedTask = ResultOf<typeof TaskListQuery>["tasks"]["nodes"][number];

const COLUMNS: readonly Column<ListedTask>[] = [
  { header: "Task", cell: ({ title }) => title },
  { header: "Status", cell: Status },
  { header: "Queue", cell: ({ queue }) => queue },
  { header: "Agent", cell: Worker },
  { header: "Attempt", cell: ({ attempt, maxAttempts }) => `${attempt} of ${maxAttempts}` },
  { header: "Created", sortedBy: "created", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { header: "Changed", sortedBy: "updated", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> },
];

/** Tasks in rows, the newest first where the address names no other order. */
export function TaskList() {
  const { values, set } = useUrlState(TASKS_STATE);
  const { orderBy, by, isAscending } = taskOrderOf(values.sort);
  const filter = { ...taskFilterOf(values), status: taskStatusOf(values.status) };
  const query = useLiveQuery(TaskListQuery, { ...usePaging(), filter, orderBy }, { types: ["task.*"] });
  const isNarrowed = Object.values(filter).some((value) => value !== null);
  return (
    <DataTable
      one="task"
      many="tasks"
      columns={COLUMNS}
      query={query}
      page={query.data?.tasks ?? null}
      keyOf={({ uuid }) => uuid}
      hrefOf={({ uuid }) => `/tasks/${uuid}`}
      sort={{ by, isAscending, onChange: (sort) => set({ sort, view: "list" }) }}
      empty={
        isNarrowed ? (
          <Empty title="No task is like this">
            <Link href="/tasks?view=list">See all tasks</Link>
          </Empty>
        ) : (
          <Empty title="There is no task yet">
            <Link href="/tasks/new">Create the first one</Link>: an agent claims it from its queue.
          </Empty>
        )
      }
    />
  );
}

function Status({ status, cancelRequestedAt }: ListedTask) {
  const isCanceling = cancelRequestedAt !== null && (status === "WORKING" || status === "INPUT_REQUIRED");
  return isCanceling ? <StatusChip status="IS_BEING_CANCELED" tone="warn" /> : <StatusChip status={status} />;
}

function Worker({ claimedByAgent, assigneeAgent }: ListedTask) {
  if (claimedByAgent !== null)
    return <Link href={`/agents/${claimedByAgent.uuid}`}>{claimedByAgent.name}</Link>;
  if (assigneeAgent === null) return <span className="soft">–</span>;
  return <span className="soft">for {assigneeAgent.name}</span>;
}
