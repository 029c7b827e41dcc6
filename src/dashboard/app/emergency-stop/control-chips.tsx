import { StatusChip } from "../../ui/status-chip.tsx";

/** An agent's control state, and whether it has confirmed the emergency stop. */
export type ControlCounts = {
  controlState: "ACTIVE" | "PAUSED" | "STOPPED";
  stopState: "CONFIRMED" | "PENDING" | "UNREACHABLE" | null;
};

export function ControlChips({ controlState, stopState }: ControlCounts) {
  return (
    <span className="in-line">
      <StatusChip status={controlState} />
      {stopState === "PENDING" && <StatusChip status="NOT_CONFIRMED" tone="warn" />}
      {stopState === "UNREACHABLE" && <StatusChip status="UNREACHABLE" tone="bad" />}
    </span>
  );
}
