import { Link } from "wouter";
import { formatBytes } from "../../../ui/format-bytes.ts";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { ExecutionChip } from "../../executions/execution-chip.tsx";
import { formatMicroseconds } from "../../traces/format-microseconds.ts";
import type { CallItem } from "./call-fields.ts";

export const CALL_COLUMNS: readonly Column<CallItem>[] = [
  { header: "Tool", cell: ({ tool }) => toVisibleText(tool) },
  { header: "Status", cell: Status },
  {
    header: "Agent",
    cell: ({ agentUuid, agent }) => (
      <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "Unnamed agent"}</Link>
    ),
  },
  { header: "Why it could", cell: Why },
  { header: "Took", cell: Took, isEnd: true },
  {
    header: "Answer",
    cell: ({ answerBytes }) => (answerBytes === null ? "–" : formatBytes(answerBytes)),
    isEnd: true,
  },
  { header: "Started", cell: ({ createdAt }) => <TimeAgo at={createdAt} />, isEnd: true },
];

function Status({ status, isError }: CallItem) {
  return (
    <span className="in-line">
      <ExecutionChip status={status} />
      {isError === true && <span className="badge badge-bad">answered an error</span>}
    </span>
  );
}

/** The policies' decision, the person's permission if they asked for one, and what happened then. */
function Why({ approvalUuid, decisionUuid, traceId }: CallItem) {
  return (
    <span className="in-line">
      <Link href={`/decisions/${decisionUuid}`}>Decision</Link>
      {approvalUuid !== null && <Link href={`/approvals/${approvalUuid}`}>Approval</Link>}
      {traceId !== null && <Link href={`/traces/${traceId}`}>Trace</Link>}
    </span>
  );
}

function Took({ durationMs }: CallItem) {
  return durationMs === null ? "–" : formatMicroseconds(durationMs * 1000);
}
