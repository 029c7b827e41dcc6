import { Link } from "wouter";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { ExecutionChip } from "../execution-chip.tsx";
import type { ExecutionItem } from "../execution-fields.ts";

export const EXECUTION_COLUMNS: readonly Column<ExecutionItem>[] = [
  { header: "Execution", cell: Name },
  { header: "Status", cell: ({ status }) => <ExecutionChip status={status} /> },
  {
    header: "Agent",
    cell: ({ agentUuid, agent }) => (
      <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "Unnamed agent"}</Link>
    ),
  },
  { header: "Started", cell: ({ createdAt }) => <TimeAgo at={createdAt} />, isEnd: true },
  { header: "Ended", cell: ({ endedAt }) => <TimeAgo at={endedAt} />, isEnd: true },
];

function Name({ action, resourceId }: ExecutionItem) {
  return (
    <>
      {toVisibleText(resourceId)} <span className="small soft">{toVisibleText(action)}</span>
    </>
  );
}
