import { StatusChip } from "../../ui/status-chip.tsx";

/** A run's verdict. */
export function VerdictChip({ verdict }: { verdict: "PASSED" | "FAILED" | "NONE" }) {
  return verdict === "NONE" ? (
    <StatusChip status="NO_VERDICT" tone="plain" />
  ) : (
    <StatusChip status={verdict} />
  );
}
