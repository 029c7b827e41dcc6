import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { NewTaskForm } from "./new-task-form.tsx";

/** Where a task is created. */
export function NewTaskPage() {
  const mayCreate = useIsAtLeast("OPERATOR");
  return (
    <Page
      title="Create a task"
      above={{ href: "/tasks", title: "Tasks" }}
      lead="It waits in its queue until an agent claims it. Agents that are offline claim it when they are back."
    >
      {mayCreate ? <NewTaskForm /> : <p>Operators create tasks. Ask an admin for that role.</p>}
    </Page>
  );
}
