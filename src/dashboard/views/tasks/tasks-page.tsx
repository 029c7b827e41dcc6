import { ActLink } from "../../app/act-link.tsx";
import { useUrlState } from "../../data/use-url-state.ts";
import { Page } from "../../ui/page.tsx";
import { Board } from "./board/board.tsx";
import { TaskFilters } from "./list/task-filters.tsx";
import { TaskList } from "./list/task-list.tsx";
import { TASKS_STATE } from "./task-filter.ts";
import { ViewSwitch } from "./view-switch.tsx";

/** All tasks, as a board or as a list. Who asks for one status gets the list. */
export function TasksPage() {
  const { values } = useUrlState(TASKS_STATE);
  const isList = values.view === "list" || (values.view === "" && values.status !== "");
  return (
    <Page
      title="Tasks"
      action={
        <>
          <ViewSwitch isList={isList} />
          <ActLink href="/tasks/new" label="Create a task" />
        </>
      }
    >
      <TaskFilters isList={isList} />
      {isList ? <TaskList /> : <Board />}
    </Page>
  );
}
