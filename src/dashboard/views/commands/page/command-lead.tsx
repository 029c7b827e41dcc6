import { Link } from "wouter";
import { Progress } from "../../../ui/progress.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import type { ShownCommand } from "./command-query.ts";

/** How a command stands and whom it is for, in one line below its type. */
export function CommandLead({ command }: { command: ShownCommand }) {
  const { status, late, statusDetail, agent, agentUuid, progress, type } = command;
  return (
    <div className="in-line">
      <StatusChip status={status} />
      {late && <StatusChip status="LATE_RESULT" tone="warn" />}
      <span>
        to <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "an agent"}</Link>
      </span>
      {status === "RUNNING" && progress !== null && <Progress value={progress} of={type} />}
      {statusDetail !== null && <span>{statusDetail}</span>}
    </div>
  );
}
