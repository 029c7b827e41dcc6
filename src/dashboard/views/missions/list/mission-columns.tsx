import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatPercent, toWords } from "../../../ui/words.ts";
import { hasMissionEnded } from "../mission-states.ts";
import type { MissionRow } from "./mission-rows.ts";

const STANDING: readonly Column<MissionRow>[] = [
  { header: "Mission", cell: ({ title }) => title },
  { header: "Status", cell: Status },
  { header: "Progress", cell: ({ progress }) => formatPercent(progress) },
];

/** Columns of the list of missions. */
export const MISSION_COLUMNS: readonly Column<MissionRow>[] = [
  ...STANDING,
  { header: "Robot", cell: RobotLink },
  { header: "Kind", cell: ({ kind }) => toWords(kind) },
  { header: "Created", cell: ({ createdAt }) => <TimeAgo at={createdAt} />, isEnd: true },
  { header: "Finished", cell: ({ finishedAt }) => <TimeAgo at={finishedAt} />, isEnd: true },
];

/** Columns of one robot's missions. */
export const ROBOT_MISSION_COLUMNS: readonly Column<MissionRow>[] = [
  ...STANDING,
  { header: "Updated", cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, isEnd: true },
];

function Status({ status, cancelRequestedAt, approvalUuid }: MissionRow) {
  if (status === "AWAITING_APPROVAL" && approvalUuid !== null) {
    return (
      <Link href={`/approvals/${approvalUuid}`}>
        <StatusChip status={status} />
      </Link>
    );
  }
  if (cancelRequestedAt !== null && !hasMissionEnded(status))
    return <StatusChip status="IS_BEING_CANCELED" tone="warn" />;
  return <StatusChip status={status} />;
}

function RobotLink({ robot, status }: MissionRow) {
  if (robot === null) return <span className="soft">{hasMissionEnded(status) ? "none" : "none yet"}</span>;
  return <Link href={`/robots/${robot.uuid}`}>{robot.agent?.name ?? "Unnamed robot"}</Link>;
}
