import { StatusChip } from "../../ui/status-chip.tsx";

/** What a run's gate says. */
export function VerdictChip({ verdict }: { verdict: "PASSED" | "FAILED" | "NONE" }) {
  return verdict === "NONE" ? (
    <StatusChip status="NO_VERDICT" tone="plain" />
  ) : (
    <StatusChip status={verdict} />
  );
}
