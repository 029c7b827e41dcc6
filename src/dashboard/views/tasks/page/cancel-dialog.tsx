import { graphql } from "../../../data/graphql.ts";
import { ReasonDialog } from "../../../ui/reason-dialog.tsx";
import type { ShownTask } from "./task-query.ts";

const CancelTask = graphql(`
  mutation CancelTask($id: ID!, $reason: String) {
    cancelTask(input: { id: $id, reason: $reason }) {
      task {
        id
        status
        cancelRequestedAt
      }
    }
  }
`);

/** Asks why a task is canceled, and says what that does to who works on it. */
export function CancelDialog({ task, onClose }: { task: ShownTask; onClose: () => void }) {
  return (
    <ReasonDialog
      title="Cancel the task?"
      confirmLabel="Cancel the task"
      mutation={CancelTask}
      toVariables={(reason) => ({ id: task.id, reason })}
      toDoneText={({ cancelTask }) =>
        cancelTask.task.status === "CANCELED"
          ? "The task is canceled."
          : "The agent is asked to stop; after 30 s the task is canceled anyway."
      }
      onClose={onClose}
    >
      <Consequences task={task} />
      <li>A canceled task can’t be taken up again; a new one can try the same.</li>
    </ReasonDialog>
  );
}

function Consequences({ task: { status, claimedByAgent } }: { task: ShownTask }) {
  if (status === "SUBMITTED") return <li>Nobody works on it: it is canceled at once.</li>;
  const name = claimedByAgent?.name ?? "Its agent";
  return (
    <>
      <li>{name} is asked to stop, and the task is canceled as soon as it says that it has.</li>
      <li>
        If {name} is offline or doesn’t answer, the task is canceled by force after 30 seconds. What the agent
        has begun elsewhere may go on.
      </li>
    </>
  );
}
