import { Progress } from "../../../ui/progress.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { hasTaskEnded } from "../task-filter.ts";
import type { ShownTask } from "./task-query.ts";

/** How a task stands, in one line below its title. */
export function TaskLead({ task }: { task: ShownTask }) {
  const { status, cancelRequestedAt, statusMessage, error, progress, title, deadlineAt } = task;
  const hasEnded = hasTaskEnded(status);
  return (
    <div className="in-line">
      <StatusChip status={status} />
      {!hasEnded && cancelRequestedAt !== null && <StatusChip status="IS_BEING_CANCELED" tone="warn" />}
      {!hasEnded && deadlineAt !== null && (
        <span>
          due <TimeAgo at={deadlineAt} />
        </span>
      )}
      {status === "WORKING" && progress !== null && <Progress value={progress} of={title} />}
      {statusMessage !== null && status !== "INPUT_REQUIRED" && error === null && (
        <span>{statusMessage}</span>
      )}
    </div>
  );
}
