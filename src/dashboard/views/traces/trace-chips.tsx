import { StatusChip } from "../../ui/status-chip.tsx";
import { formatCount } from "../../ui/words.ts";

export type TraceState = {
  status: "UNSET" | "OK" | "ERROR";
  openCount: number;
  lost: boolean;
  errorCount: number;
};

/** How a trace ended, or that it goes on or its agent is gone, and how many of its spans failed. */
export function TraceChips({ trace: { status, openCount, lost, errorCount } }: { trace: TraceState }) {
  return (
    <span className="in-line">
      {openCount > 0 && !lost && <StatusChip status="OPEN" tone="busy" />}
      {lost && <StatusChip status="LOST" tone="warn" />}
      {status === "ERROR" && <StatusChip status="FAILED" />}
      {status === "OK" && <StatusChip status="OK" tone="good" />}
      {status === "UNSET" && openCount === 0 && <StatusChip status="ENDED" />}
      {errorCount > 0 && <span className="small soft">{formatCount(errorCount, "error")}</span>}
    </span>
  );
}
