import { Route, Switch } from "wouter";
import { NotFound } from "../../app/not-found.tsx";
import { isUuid } from "../../data/global-id.ts";
import { NewTaskPage } from "./form/new-task-page.tsx";
import { TaskPage } from "./page/task-page.tsx";
import "./tasks.css";
import { TasksPage } from "./tasks-page.tsx";

/** The workspace's tasks: the board and the list of them, each by itself, and a new one. */
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
