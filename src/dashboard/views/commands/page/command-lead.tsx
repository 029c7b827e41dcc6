import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import type { ShownCommand } from "./command-query.ts";

/** How a command stands and whom it is for, in one line below its type. */
export function CommandLead({ command }: { command: ShownCommand }) {
  const { status, late, statusDetail, agent, agentUuid, progress, type } = command;
  return (
    <div className="commands-lead">
      <StatusChip status={status} />
      {late && <StatusChip status="LATE_RESULT" tone="warn" />}
      <span>
        to <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "an agent"}</Link>
      </span>
      {status === "RUNNING" && progress !== null && (
        <>
          <progress className="commands-progress" value={progress} aria-label={`Progress of ${type}`} />
          <span>{Math.round(progress * 100)} %</span>
        </>
      )}
      {statusDetail !== null && <span>{statusDetail}</span>}
    </div>
  );
}
