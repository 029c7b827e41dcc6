import type { ResultOf } from "gql.tada";
import { isNarrowed } from "../../../data/is-narrowed.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { usePaging } from "../../../data/use-paging.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { TASKS_STATE, toTaskFilter, findTaskStatus } from "../task-filter.ts";
import { BULK_TASKS } from "./bulk-tasks.ts";
import { TASK_COLUMNS } from "./task-columns.tsx";
import { TasksQuery } from "./task-rows.ts";
import { Link } from "wouter";

/** The list of tasks. Default order: newest first. */
export function TaskList() {
  const { values, set } = useUrlState(TASKS_STATE);
  const { orderBy, by, isAscending } = parseTaskOrder(values.sort);
  const filter = { ...toTaskFilter(values), status: findTaskStatus(values.status) };
  const mayAct = useIsAtLeast("OPERATOR");
  const query = useLiveQuery(TasksQuery, { ...usePaging(), filter, orderBy }, { types: ["task.*"] });
  const source = { query: TasksQuery, variables: { filter, orderBy }, pick: pickTasks };
  return (
    <DataTable
      one="task"
      many="tasks"
      columns={TASK_COLUMNS}
      query={query}
      page={query.data?.tasks ?? null}
      source={source}
      bulk={mayAct ? { ...BULK_TASKS, source } : undefined}
      getKey={({ uuid }) => uuid}
      getHref={({ uuid }) => `/tasks/${uuid}`}
      sort={{ by, isAscending, onChange: (sort) => set({ sort, view: "list" }) }}
      allAt={isNarrowed(filter) ? "/tasks?view=list" : null}
      empty={
        <Empty
          title="No tasks yet"
          role="OPERATOR"
          otherwise="Tasks appear here when agents or operators create them."
        >
          <Link href="/tasks/new">Create the first one</Link>. An agent will claim it from its queue.
        </Empty>
      }
    />
  );
}

function pickTasks({ tasks }: ResultOf<typeof TasksQuery>) {
  return tasks;
}

const ORDERS = {
  created: "CREATED_DESC",
  "-created": "CREATED_ASC",
  updated: "UPDATED_DESC",
  "-updated": "UPDATED_ASC",
} as const;

type TaskOrder = {
  orderBy: (typeof ORDERS)[keyof typeof ORDERS];
  by: string;
  /** Oldest first. */
  isAscending: boolean;
};

/** The order in the URL. Default: newest first. */
function parseTaskOrder(sort: string): TaskOrder {
  const name = isOrder(sort) ? sort : "created";
  const isAscending = name.startsWith("-");
  return { orderBy: ORDERS[name], by: isAscending ? name.slice(1) : name, isAscending };
}

function isOrder(sort: string): sort is keyof typeof ORDERS {
  return Object.hasOwn(ORDERS, sort);
}
