import { Link } from "wouter";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { Empty } from "../../../ui/empty.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { TASKS_STATE, taskFilterOf, taskStatusOf } from "../task-filter.ts";
import { TASK_COLUMNS } from "./task-columns.tsx";
import { taskOrderOf } from "./task-order.ts";
import { TasksQuery } from "./task-rows.ts";

/** Tasks in rows, the newest first where the address names no other order. */
export function TaskList() {
  const { values, set } = useUrlState(TASKS_STATE);
  const { orderBy, by, isAscending } = taskOrderOf(values.sort);
  const filter = { ...taskFilterOf(values), status: taskStatusOf(values.status) };
  const query = useLiveQuery(TasksQuery, { ...usePaging(), filter, orderBy }, { types: ["task.*"] });
  return (
    <DataTable
      one="task"
      many="tasks"
      columns={TASK_COLUMNS}
      query={query}
      page={query.data?.tasks ?? null}
      keyOf={({ uuid }) => uuid}
      hrefOf={({ uuid }) => `/tasks/${uuid}`}
      sort={{ by, isAscending, onChange: (sort) => set({ sort, view: "list" }) }}
      allAt={isNarrowed(filter) ? "/tasks?view=list" : null}
      empty={
        <Empty
          title="There is no task yet"
          role="OPERATOR"
          otherwise="Tasks appear here as soon as agents or operators create some."
        >
          <Link href="/tasks/new">Create the first one</Link>: an agent claims it from its queue.
        </Empty>
      }
    />
  );
}
