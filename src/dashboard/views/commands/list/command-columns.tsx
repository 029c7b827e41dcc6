import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { getIssuerName } from "../get-issuer-name.ts";
import type { CommandRow } from "./command-rows.ts";

const TYPE: Column<CommandRow> = { header: "Command", cell: ({ type }) => type };
const STATUS: Column<CommandRow> = { header: "Status", cell: CommandStatus };
const ENDED: Column<CommandRow> = {
  header: "Finished",
  cell: ({ finishedAt }) => <TimeAgo at={finishedAt} />,
};
const ISSUED: readonly Column<CommandRow>[] = [
  { header: "Issued by", cell: ({ issuedBy }) => getIssuerName(issuedBy) },
  { header: "Issued", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
];

/** Columns of the list of commands. */
export const COMMAND_COLUMNS: readonly Column<CommandRow>[] = [
  TYPE,
  STATUS,
  {
    header: "Agent",
    cell: ({ agent, agentUuid }) => (
      <Link href={`/agents/${agentUuid}`}>{agent?.name ?? "Unnamed agent"}</Link>
    ),
  },
  ...ISSUED,
  ENDED,
];

/** Columns of one agent's commands. */
export const AGENT_COMMAND_COLUMNS: readonly Column<CommandRow>[] = [TYPE, STATUS, ...ISSUED];

/** Columns of one batch's commands. */
export const BATCH_COLUMNS: readonly Column<CommandRow>[] = [
  { header: "Agent", cell: ({ agent }) => agent?.name ?? "Unnamed agent" },
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
