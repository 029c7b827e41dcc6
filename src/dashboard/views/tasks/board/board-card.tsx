import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toMessageText } from "../../conversations/thread/to-message-text.ts";
import { hasTaskEnded } from "../task-filter.ts";
import type { BoardTask } from "./board-query.ts";

/** A task on the board. The whole card links to its page. */
export function BoardCard({ task }: { task: BoardTask }) {
  const { uuid, title, status, queue, question, progress } = task;
  const worker = task.claimedByAgent ?? task.assigneeAgent;
  return (
    <li className="tasks-card">
      <Link href={`/tasks/${uuid}`} className="tasks-card-title">
        {title}
      </Link>
      {question !== null && <p className="tasks-card-question">{toMessageText(question.parts)}</p>}
      <p className="tasks-card-line">{worker === null ? queue : `${worker.name} · ${queue}`}</p>
      {status === "WORKING" && progress !== null && (
        <progress value={progress} aria-label={`Progress of ${title}`} />
      )}
      <p className="tasks-card-line tasks-card-foot">
        <When task={task} />
        {status === "AUTH_REQUIRED" && (
          <Link href={`/approvals/${task.approvalUuid}`}>
            <StatusChip status={status} />
          </Link>
        )}
        {hasTaskEnded(status) && <StatusChip status={status} />}
        {!hasTaskEnded(status) && task.cancelRequestedAt !== null && (
          <StatusChip status="IS_BEING_CANCELED" tone="warn" />
        )}
        {task.attempt > 1 && <span>attempt {task.attempt}</span>}
      </p>
    </li>
  );
}

function When({ task }: { task: BoardTask }) {
  if (task.finishedAt !== null) return <TimeAgo at={task.finishedAt} />;
  if (task.question !== null) {
    return (
      <span>
        asked <TimeAgo at={task.question.createdAt} />
      </span>
    );
  }
  if (task.deadlineAt !== null) {
    return (
      <span>
        due <TimeAgo at={task.deadlineAt} />
      </span>
    );
  }
  return (
    <span>
      {task.startedAt === null ? "created " : "began "}
      <TimeAgo at={task.startedAt ?? task.createdAt} />
    </span>
  );
}
