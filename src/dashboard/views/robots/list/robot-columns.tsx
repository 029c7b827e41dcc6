import { Link } from "wouter";
import { ControlChips } from "../../../app/emergency-stop/control-chips.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import type { Column } from "../../../ui/table/row.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { formatCount, toWords } from "../../../ui/words.ts";
import { parseErrors } from "../parse-errors.ts";
import type { ListedRobot } from "./robot-list-query.ts";

const NOTHING = <span className="soft">–</span>;

/** Columns of the list of robots. */
export const ROBOT_COLUMNS: readonly Column<ListedRobot>[] = [
  { header: "Robot", cell: ({ agent }) => agent?.name ?? "Unnamed robot" },
  { header: "Status", cell: Status },
  { header: "Mode", cell: ({ operatingMode }) => toWords(operatingMode) },
  { header: "Battery", cell: Battery },
  { header: "Mission", cell: Mission },
  { header: "Errors", cell: Errors },
  { header: "Fleet", cell: Fleet },
  { header: "Last seen", cell: ({ stateAt }) => <TimeAgo at={stateAt} />, isEnd: true },
];

function Status({ status, controlState, stopState, emergencyStop, fieldViolation }: ListedRobot) {
  return (
    <span className="in-line">
      <StatusChip status={status} />
      {controlState !== "ACTIVE" && <ControlChips controlState={controlState} stopState={stopState} />}
      {emergencyStop !== "NONE" && <StatusChip status="EMERGENCY_STOP" tone="bad" />}
      {fieldViolation && <StatusChip status="FIELD_VIOLATION" tone="bad" />}
    </span>
  );
}

function Battery({ batteryPercent }: ListedRobot) {
  return batteryPercent === null ? NOTHING : `${Math.round(batteryPercent)} %`;
}

function Mission({ currentMissionUuid, missionTitle }: ListedRobot) {
  if (currentMissionUuid === null) return NOTHING;
  return <Link href={`/missions/${currentMissionUuid}`}>{missionTitle ?? "View mission"}</Link>;
}

function Fleet({ fleet }: ListedRobot) {
  return fleet === null ? NOTHING : <span className="robots-fleet">{fleet}</span>;
}

function Errors({ errors }: ListedRobot) {
  const known = parseErrors(errors);
  const [worst] = known;
  if (worst === undefined) return NOTHING;
  return (
    <span className="in-line">
      <StatusChip status={worst.level} />
      <span className="small">{known.length === 1 ? worst.type : formatCount(known.length, "error")}</span>
    </span>
  );
}
