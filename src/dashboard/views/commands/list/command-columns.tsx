import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { getIssuerName } from "../get-issuer-name.ts";
import type { CommandRow } from "./command-rows.ts";

const TYPE: Column<CommandRow> = { header: "Command", cell: ({ type }) => type };
const STATUS: Column<CommandRow> = { header: "Status", cell: CommandStatus };
const ENDED: Column<CommandRow> = { header: "Ended", cell: ({ finishedAt }) => <TimeAgo at={finishedAt} /> };
const ISSUED: readonly Column<CommandRow>[] = [
  { header: "Issued by", cell: ({ issuedBy }) => getIssuerName(issuedBy) },
  { header: "Issued", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
];

/** How commands are shown in rows. */
export const COMMAND_COLUMNS: readonly Column<CommandRow>[] = [
  TYPE,
  STATUS,
  {
    header: "Agent",
    cell: ({ agent, agentUuid }) => <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "An agent"}</Link>,
  },
  ...ISSUED,
  ENDED,
];

/** How the commands of one agent are shown. */
export const AGENT_COMMAND_COLUMNS: readonly Column<CommandRow>[] = [TYPE, STATUS, ...ISSUED];

/** How the commands of one batch are shown: they differ by their agents. */
export const BATCH_COLUMNS: readonly Column<CommandRow>[] = [
  { header: "Agent", cell: ({ agent }) => agent?.name ?? "An agent" },
  STATUS,
  { header: "Detail", cell: ({ statusDetail }) => statusDetail ?? <span className="soft">–</span> },
  ENDED,
];

function CommandStatus({ status, late, deliveryAttempts, priority }: CommandRow) {
  return (
    <span className="in-line">
      <StatusChip status={status} />
      {late && <StatusChip status="LATE_RESULT" tone="warn" />}
      {deliveryAttempts > 1 && <span className="small soft">delivered {deliveryAttempts} times</span>}
      {priority === "URGENT" && <span className="small soft">urgent</span>}
    </span>
  );
}
