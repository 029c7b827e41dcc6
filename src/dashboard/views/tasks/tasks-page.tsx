import { useMemo } from "react";
import { Link, useLocation } from "wouter";
import { usePaletteEntries } from "../../app/palette/entries.ts";
import { useUrlState } from "../../data/use-url-state.ts";
import { useIsAtLeast } from "../../data/viewer.tsx";
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
  const mayCreate = useIsAtLeast("OPERATOR");
  const [, go] = useLocation();
  const entries = useMemo(
    () =>
      mayCreate
        ? [{ key: "tasks-new", label: "Create a task", kind: "Act", to: () => go("/tasks/new") }]
        : [],
    [mayCreate, go],
  );
  usePaletteEntries(entries);
  return (
    <Page
      title="Tasks"
      action={
        <>
          <ViewSwitch isList={isList} />
          {mayCreate && (
            <Link className="button button-primary" href="/tasks/new">
              Create a task
            </Link>
          )}
        </>
      }
    >
      <TaskFilters isList={isList} />
      {isList ? <TaskList /> : <Board />}
    </Page>
  );
}
