import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { CreateTask } from "../form/create-task.ts";
import type { ShownTask } from "./task-query.ts";
import { toRetryInput } from "./retry-input.ts";

/** Retries a finished task by creating a new one. */
export function RetryDialog({ task, onClose }: { task: ShownTask; onClose: () => void }) {
  const { act, isBusy, problem } = useAct(CreateTask);
  const [, go] = useLocation();

  async function retry(): Promise<void> {
    const made = await act({ input: toRetryInput(task) });
    if (made === null) return;
    showNotice("A new task has been created.");
    go(`/tasks/${made.createTask.task.uuid}`);
  }

  return (
    <ConfirmDialog
      title="Retry task?"
      confirmLabel="Create new task"
      isOpen
      onClose={onClose}
      onConfirm={() => void retry()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={false}
    >
      <ul className="consequences">
        <li>
          A new task with the same title, input and labels is added to the queue {task.queue}. This task
          doesn’t change.
        </li>
        <li>
          {task.assigneeAgent === null
            ? "Any agent may claim it."
            : `Only ${task.assigneeAgent.name} may claim it. While it is offline, the task waits.`}
        </li>
        {task.status === "COMPLETED" && <li>This task was completed, so its work may be done twice.</li>}
      </ul>
    </ConfirmDialog>
  );
}
