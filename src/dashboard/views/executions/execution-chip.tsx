import type { ChipTone } from "../../ui/status-chip.tsx";
import type { ExecutionStatus } from "./execution-fields.ts";

const CHIPS: Readonly<Record<ExecutionStatus, readonly [label: string, tone: ChipTone]>> = {
  STARTED: ["started", "busy"],
  COMPLETED: ["completed", "good"],
  FAILED: ["failed", "bad"],
  UNKNOWN: ["outcome unknown", "warn"],
  UNREPORTED: ["not reported", "plain"],
  RETRIED: ["retried", "plain"],
};

export function ExecutionChip({ status }: { status: ExecutionStatus }) {
  const [label, tone] = CHIPS[status];
  return <span className={`badge badge-${tone}`}>{label}</span>;
}
