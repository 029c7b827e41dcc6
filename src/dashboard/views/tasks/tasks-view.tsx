import { ActLink } from "../../app/act-link.tsx";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { useUrlState } from "../../data/use-url-state.ts";
import { Page } from "../../ui/page.tsx";
import { Board } from "./board/board.tsx";
import { NewTaskPage } from "./form/new-task-page.tsx";
import { TaskFilters } from "./list/task-filters.tsx";
import { TaskList } from "./list/task-list.tsx";
import { TaskPage } from "./page/task-page.tsx";
import { TASKS_STATE } from "./task-filter.ts";
import "./tasks.css";
import { ViewSwitch } from "./view-switch.tsx";
import { Route, Switch } from "wouter";

/** The board and list of tasks, one task, and the form for a new one. */
export function TasksView() {
  return (
    <Switch>
      <Route path="/tasks">
        <TasksPage />
      </Route>
      <Route path="/tasks/new">
        <NewTaskPage />
      </Route>
      <Route path="/tasks/:uuid">
        {({ uuid }) => (isUuid(uuid) ? <TaskPage key={uuid} uuid={uuid} /> : <NotFound what="task" />)}
      </Route>
      <Route>
        <NotFound what="task" />
      </Route>
    </Switch>
  );
}

/** All tasks, as a board or as a list. A status filter shows the list. */
function TasksPage() {
  const { values } = useUrlState(TASKS_STATE);
  const isList = values.view === "list" || (values.view === "" && values.status !== "");
  return (
    <Page
      title="Tasks"
      action={
        <>
          <ViewSwitch isList={isList} />
          <ActLink href="/tasks/new" label="Create task" />
        </>
      }
    >
      <TaskFilters isList={isList} />
      {isList ? <TaskList /> : <Board />}
    </Page>
  );
}
