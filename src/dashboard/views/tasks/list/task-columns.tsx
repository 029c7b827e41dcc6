import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { hasTaskEnded } from "../task-filter.ts";
import type { TaskRow } from "./task-rows.ts";

const STANDING: readonly Column<TaskRow>[] = [
  { header: "Task", cell: ({ title }) => title },
  { header: "Status", cell: Status },
  { header: "Queue", cell: ({ queue }) => queue },
];
const CHANGED: Column<TaskRow> = {
  header: "Updated",
  sortedBy: "updated",
  cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />,
};

/** Columns of the list of tasks. */
export const TASK_COLUMNS: readonly Column<TaskRow>[] = [
  ...STANDING,
  { header: "Agent", cell: Worker },
  { header: "Attempts", cell: ({ attempt, maxAttempts }) => `${attempt} of ${maxAttempts}` },
  { header: "Created", sortedBy: "created", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  CHANGED,
];

/** Columns of one agent's tasks. */
export const AGENT_TASK_COLUMNS: readonly Column<TaskRow>[] = [...STANDING, { ...CHANGED, isEnd: true }];

function Status({ status, cancelRequestedAt, approvalUuid }: TaskRow) {
  if (status === "AUTH_REQUIRED" && approvalUuid !== null) {
    return (
      <Link href={`/approvals/${approvalUuid}`}>
        <StatusChip status={status} />
      </Link>
    );
  }
  const isCanceling = cancelRequestedAt !== null && status !== "SUBMITTED" && !hasTaskEnded(status);
  return isCanceling ? <StatusChip status="IS_BEING_CANCELED" tone="warn" /> : <StatusChip status={status} />;
}

function Worker({ claimedByAgent, assigneeAgent }: TaskRow) {
  if (claimedByAgent !== null)
    return <Link href={`/agents/${claimedByAgent.uuid}`}>{claimedByAgent.name}</Link>;
  if (assigneeAgent === null) return <span className="soft">–</span>;
  return <span className="soft">for {assigneeAgent.name}</span>;
}
