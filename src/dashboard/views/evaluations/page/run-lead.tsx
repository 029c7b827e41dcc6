import { StatusChip } from "../../../ui/status-chip.tsx";
import { VerdictChip } from "../verdict-chip.tsx";
import type { ShownRun } from "./run-query.ts";

/** How a run stands, in one line below its name. */
export function RunLead({ run: { verdict, status, baseline, suite } }: { run: ShownRun }) {
  return (
    <div className="in-line">
      <VerdictChip verdict={verdict} />
      <StatusChip status={status} />
      {baseline && <StatusChip status="BASELINE" tone="busy" />}
      <span>{suite}</span>
    </div>
  );
}
