import type { ChipTone } from "../../../ui/status-chip.tsx";
import type { ToolStatus } from "./tool-fields.ts";

const CHIPS: Readonly<Record<ToolStatus, readonly [label: string, tone: ChipTone]>> = {
  APPROVED: ["approved", "good"],
  BLOCKED: ["blocked", "bad"],
  CHANGED: ["changed", "warn"],
  GONE: ["gone", "plain"],
  PENDING: ["new", "warn"],
};

export function ToolChip({ status }: { status: ToolStatus }) {
  const [label, tone] = CHIPS[status];
  return <span className={`badge badge-${tone}`}>{label}</span>;
}
