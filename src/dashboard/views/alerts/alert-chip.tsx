import { type ChipTone, StatusChip } from "../../ui/status-chip.tsx";
import type { ShownAlert } from "./alert-fields.ts";
import { type ShownState, getShownState } from "./words/shown-state.ts";

const TONES: Readonly<Record<ShownState, ChipTone>> = {
  FIRING: "bad",
  OK: "good",
  RESOLVED: "warn",
  NO_DATA: "plain",
  NOT_READ_YET: "plain",
  DISABLED: "plain",
};

/** The state of a rule as a colored label. */
export function AlertChip({ rule }: { rule: Pick<ShownAlert, "enabled" | "state" | "value"> }) {
  const state = getShownState(rule);
  return <StatusChip status={state} tone={TONES[state]} />;
}
