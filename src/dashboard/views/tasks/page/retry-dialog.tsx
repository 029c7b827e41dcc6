import { useLocation } from "wouter";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showNotice } from "../../../ui/notice.tsx";
import { CreateTask } from "../form/create-task.ts";
import type { ShownTask } from "./task-query.ts";
import { toGlobalId } from "../../../data/global-id.ts";

/** Asks whether a task that has ended is tried again, as a new one. */
export function RetryDialog({ task, onClose }: { task: ShownTask; onClose: () => void }) {
  const { act, isBusy, problem } = useAct(CreateTask);
  const [, go] = useLocation();

  async function retry(): Promise<void> {
    const made = await act({ input: toRetryInput(task) });
    if (made === null) return;
    showNotice("A new task tries it again.");
    go(`/tasks/${made.createTask.task.uuid}`);
  }

  return (
    <ConfirmDialog
      title="Try the task again?"
      confirmLabel="Create the new task"
      isOpen
      onClose={onClose}
      onConfirm={() => void retry()}
      isBusy={isBusy}
      problem={problem}
      isDangerous={false}
    >
      <ul className="consequences">
        <li>
          A new task with the same title, input and labels waits in the queue {task.queue}. This one stays as
          it is.
        </li>
        <li>
          {task.assigneeAgent === null
            ? "Any agent of the queue may claim it."
            : `Only ${task.assigneeAgent.name} may claim it; while it is offline the task waits.`}
        </li>
        {task.status === "COMPLETED" && <li>This task was completed: what it did may be done twice.</li>}
      </ul>
    </ConfirmDialog>
  );
}

/** The same once more, but for its deadline, which was the old one's own. */
function toRetryInput(task: ShownTask) {
  const { id, title, queue, priority, maxAttempts, labels, metadata, input, contextId } = task;
  const assignee = task.assigneeAgentUuid;
  return {
    ...{ parentTaskId: id, title, queue, priority, maxAttempts, labels, metadata, input, contextId },
    ...(assignee !== null && { assigneeAgentId: toGlobalId("Agent", assignee) }),
  };
}
