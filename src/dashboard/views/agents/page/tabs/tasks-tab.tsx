import { Link } from "wouter";
import { toGlobalId } from "../../../../data/global-id.ts";
import { useLiveQuery } from "../../../../data/use-live-query.ts";
import { usePaging } from "../../../../data/use-paging.ts";
import { Empty } from "../../../../ui/empty.tsx";
import { DataTable } from "../../../../ui/table/data-table.tsx";
import { AGENT_TASK_COLUMNS } from "../../../tasks/list/task-columns.tsx";
import { TasksQuery } from "../../../tasks/list/task-rows.ts";

/** Tasks an agent has claimed. */
export function TasksTab({ uuid }: { uuid: string }) {
  const variables = { ...usePaging(20), filter: { claimedByAgentId: toGlobalId("Agent", uuid) } };
  const query = useLiveQuery(TasksQuery, variables, { types: ["task.*"], apartMs: 1000 });
  return (
    <DataTable
      one="task"
      many="tasks"
      columns={AGENT_TASK_COLUMNS}
      query={query}
      page={query.data?.tasks ?? null}
      getKey={(task) => task.uuid}
      getHref={(task) => `/tasks/${task.uuid}`}
      empty={
        <Empty title="No tasks yet" role="OPERATOR" otherwise="Tasks claimed by this agent appear here.">
          <Link href="/tasks/new">Create a task</Link> in one of its queues.
        </Empty>
      }
    />
  );
}
