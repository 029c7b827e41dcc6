import { Link } from "wouter";
import { ControlChips } from "../../../app/emergency-stop/control-chips.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { toWords } from "../../../ui/words.ts";
import type { ShownRobot } from "./robot-query.ts";

/** A robot's state in one line. */
export function RobotLead({ robot }: { robot: ShownRobot }) {
  const {
    uuid,
    status,
    controlState,
    stopState,
    operatingMode,
    emergencyStop,
    fieldViolation,
    batteryPercent,
    stateAt,
  } = robot;
  return (
    <div className="in-line">
      <StatusChip status={status} />
      {controlState !== "ACTIVE" && <ControlChips controlState={controlState} stopState={stopState} />}
      {emergencyStop !== "NONE" && <StatusChip status={`EMERGENCY_STOP, ${emergencyStop}`} tone="bad" />}
      {fieldViolation && <StatusChip status="FIELD_VIOLATION" tone="bad" />}
      <span>{toWords(operatingMode)}</span>
      {batteryPercent !== null && <span>battery {Math.round(batteryPercent)} %</span>}
      {stateAt !== null && (
        <span>
          reported <TimeAgo at={stateAt} />
        </span>
      )}
      <Link href={`/agents/${uuid}`}>View agent</Link>
    </div>
  );
}
