import { useState } from "react";
import { graphql } from "../../../data/graphql.ts";
import { useAct } from "../../../data/use-act.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { TextField } from "../../../ui/form/text-field.tsx";
import { tell } from "../../../ui/notice.tsx";
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
  const [reason, setReason] = useState("");
  const { act, isBusy, problem } = useAct(CancelTask);

  async function cancel(): Promise<void> {
    const done = await act({ id: task.id, reason: reason.trim() === "" ? null : reason });
    if (done === null) return;
    onClose();
    const isOver = done.cancelTask.task.status === "CANCELED";
    tell(
      isOver
        ? "The task is canceled."
        : "The agent is asked to stop; after 30 s the task is canceled anyway.",
    );
  }

  return (
    <ConfirmDialog
      title="Cancel the task?"
      confirmLabel="Cancel the task"
      isOpen
      onClose={onClose}
      onConfirm={() => void cancel()}
      isBusy={isBusy}
      problem={problem}
    >
      <ul className="consequences">
        <Consequences task={task} />
        <li>A canceled task can’t be taken up again; a new one can try the same.</li>
      </ul>
      <TextField label="Reason" name="reason" value={reason} onChange={setReason} problem={problem} />
    </ConfirmDialog>
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
