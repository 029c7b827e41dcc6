import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Page } from "../../../ui/page.tsx";
import { NewTaskForm } from "./new-task-form.tsx";

export function NewTaskPage() {
  const mayCreate = useIsAtLeast("OPERATOR");
  return (
    <Page
      title="Create task"
      above={{ href: "/tasks", title: "Tasks" }}
      lead="The task waits in its queue until an agent claims it. Offline agents can claim it when they reconnect."
    >
      {mayCreate ? <NewTaskForm /> : <p>You need the operator role to create tasks. Ask an admin.</p>}
    </Page>
  );
}
