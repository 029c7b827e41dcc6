import type { AlertRule } from "../../db/generated/client.ts";

/** What a rule says about when it fires. */
export type AlertCondition = Pick<AlertRule, "threshold" | "forSeconds" | "cooldownSeconds">;

/** Where a rule is, and since when. */
export type AlertProgress = Pick<AlertRule, "state" | "stateSince" | "aboveSince">;

/**
 * Where a rule is after its metric was read.
 *
 * It fires once the value has been above the threshold for so long, and is resolved as soon as it is not, or has no
 * value. Resolved it stays for the cooldown, in which it does not fire again.
 *
 * @param value null if there is nothing to measure.
 */
export function stepAlert(
  { threshold, forSeconds, cooldownSeconds }: AlertCondition,
  before: AlertProgress,
  { value, now }: { value: number | null; now: Date },
): AlertProgress {
  const aboveSince = value !== null && value > threshold ? (before.aboveSince ?? now) : null;
  const state = findState();
  return { state, aboveSince, stateSince: state === before.state ? before.stateSince : now };

  function findState(): AlertProgress["state"] {
    if (before.state === "firing") return aboveSince === null ? "resolved" : "firing";
    if (before.state === "resolved" && !hasPassed(before.stateSince, cooldownSeconds)) return "resolved";
    if (aboveSince !== null && hasPassed(aboveSince, forSeconds)) return "firing";
    return value === null ? "no_data" : "ok";
  }

  function hasPassed(since: Date, seconds: number): boolean {
    return now.getTime() - since.getTime() >= seconds * 1000;
  }
}
