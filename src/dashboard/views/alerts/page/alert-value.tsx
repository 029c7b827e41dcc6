import { Link } from "wouter";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { METRICS } from "../alert-metrics.ts";
import type { ShownAlert } from "../alert-fields.ts";
import { describeThreshold } from "../words/describe-watched.ts";
import { formatValue } from "../words/format-value.ts";
import { describeWaiting, getShownState } from "../words/shown-state.ts";
import { getWatchedPlace } from "../words/watched-place.ts";

/** What a rule's metric was when it was last read, and when the rule fires. */
export function AlertValue({ rule }: { rule: ShownAlert }) {
  const waiting = describeWaiting(rule);
  const isFiring = getShownState(rule) === "FIRING";
  return (
    <section className={`card stack-m ${isFiring ? "alerts-firing" : ""}`} aria-labelledby="alert-value">
      <h2 id="alert-value">Value</h2>
      <p>
        <strong className="alerts-number">
          {rule.value === null ? describeNone(rule) : formatValue(rule.metric, rule.value)}
        </strong>{" "}
        {waiting}
      </p>
      <p>
        Fires above {describeThreshold(rule)}. <Link href={getWatchedPlace(rule)}>Show what it watches</Link>
      </p>
      <p className="small soft">
        {METRICS[rule.metric].hint}{" "}
        {rule.enabled && rule.evaluatedAt !== null && (
          <>
            Read <TimeAgo at={rule.evaluatedAt} />.
          </>
        )}
      </p>
    </section>
  );
}

function describeNone(rule: ShownAlert): string {
  switch (getShownState(rule)) {
    case "DISABLED":
      return "Not read";
    case "NOT_READ_YET":
      return "Not read yet";
    default:
      return "No data";
  }
}
