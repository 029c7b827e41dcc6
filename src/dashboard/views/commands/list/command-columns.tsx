import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { issuerName } from "../issuer-name.ts";
import type { CommandRow } from "./command-rows.ts";

const AGENT: Column<CommandRow> = {
  header: "Agent",
  cell: ({ agent, agentUuid }) => <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "An agent"}</Link>,
};

/** How commands are shown in rows. */
export const COMMAND_COLUMNS: readonly Column<CommandRow>[] = [
  { header: "Command", cell: ({ type }) => type },
  { header: "Status", cell: CommandStatus },
  AGENT,
  { header: "Issued by", cell: ({ issuedBy }) => issuerName(issuedBy) },
  { header: "Issued", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { header: "Ended", cell: ({ finishedAt }) => <TimeAgo at={finishedAt} /> },
];

/** How the commands of one batch are shown: they differ by their agents. */
export const BATCH_COLUMNS: readonly Column<CommandRow>[] = [
  { header: "Agent", cell: ({ agent }) => agent?.name ?? "An agent" },
  { header: "Status", cell: CommandStatus },
  { header: "Detail", cell: ({ statusDetail }) => statusDetail ?? <span className="soft">–</span> },
  { header: "Ended", cell: ({ finishedAt }) => <TimeAgo at={finishedAt} /> },
];

function CommandStatus({ status, late, deliveryAttempts, priority }: CommandRow) {
  return (
    <span className="commands-chips">
      <StatusChip status={status} />
      {late && <StatusChip status="LATE_RESULT" tone="warn" />}
      {deliveryAttempts > 1 && <span className="small soft">delivered {deliveryAttempts} times</span>}
      {priority === "URGENT" && <span className="small soft">urgent</span>}
    </span>
  );
}
