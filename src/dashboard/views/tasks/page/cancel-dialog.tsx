import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import { CancelTask } from "./cancel-task.ts";
import type { ShownTask } from "./task-query.ts";

/** Asks for a reason, and explains what canceling does to the agent's work. */
export function CancelDialog({ task, onClose }: { task: ShownTask; onClose: () => void }) {
  return (
    <ReasonDialog
      title="Cancel task?"
      confirmLabel="Cancel task"
      mutation={CancelTask}
      toVariables={(reason) => ({ id: task.id, reason })}
      toDoneText={({ cancelTask }) =>
        cancelTask.task.status === "CANCELED"
          ? "The task has been canceled."
          : "The agent has 30 seconds to stop. Then the task is canceled anyway."
      }
      onClose={onClose}
    >
      <Consequences task={task} />
      <li>A canceled task can’t be resumed, but you can create a new one from it.</li>
    </ReasonDialog>
  );
}

function Consequences({ task: { status, claimedByAgent } }: { task: ShownTask }) {
  if (status === "SUBMITTED") return <li>No agent is working on it, so it is canceled at once.</li>;
  const name = claimedByAgent?.name ?? "The agent";
  return (
    <>
      <li>{name} is asked to stop. The task is canceled as soon as it confirms.</li>
      <li>
        If {name} is offline or doesn’t confirm, the task is canceled after 30 seconds anyway. Work it has
        started elsewhere may continue.
      </li>
    </>
  );
}
