import { formatDuration } from "../../../ui/words.ts";
import type { ShownAlert } from "../alert-fields.ts";

export type ShownState = ShownAlert["state"] | "DISABLED" | "NOT_READ_YET";

/** The state of a rule for people. One that was just created or enabled has no value yet. */
export function getShownState({
  enabled,
  state,
  value,
}: Pick<ShownAlert, "enabled" | "state" | "value">): ShownState {
  if (!enabled) return "DISABLED";
  return state === "OK" && value === null ? "NOT_READ_YET" : state;
}

type Waiting = Pick<
  ShownAlert,
  "enabled" | "state" | "value" | "threshold" | "forSeconds" | "cooldownSeconds"
>;

/** Why a rule does not fire although its value is above the threshold. Null if it fires, or is not above. */
export function describeWaiting({ enabled, state, value, threshold, ...seconds }: Waiting): string | null {
  if (!enabled || value === null || value <= threshold || state === "FIRING") return null;
  const { forSeconds, cooldownSeconds } = seconds;
  if (state === "RESOLVED") return `above, not again for ${formatDuration(cooldownSeconds)}`;
  return forSeconds === 0 ? null : `above, not yet for ${formatDuration(forSeconds)}`;
}
