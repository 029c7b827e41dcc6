import { Link } from "wouter";
import { useFiringAlerts } from "../../../data/use-firing-alerts.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { describeMetric, describeWatched } from "../../alerts/words/describe-watched.ts";
import { formatValue } from "../../alerts/words/format-value.ts";

/** Rules are read every half minute, and their values change without events. */
const EVERY_MS = 15_000;

/** The alert rules that fire. Hidden if none does. */
export function FiringAlerts() {
  const { data, problem, refresh } = useFiringAlerts(EVERY_MS);
  const nodes = data?.alertRules.nodes ?? [];
  const more = (data?.alertRules.totalCount ?? 0) - nodes.length;
  if (nodes.length === 0 && problem === null) return null;
  return (
    <section className="card stack-m now-alerts" aria-labelledby="now-alerts">
      <div className="row-between">
        <h2 id="now-alerts">Alerts</h2>
        {more > 0 && <Link href="/alerts?state=FIRING">{`${more.toLocaleString("en")} more`}</Link>}
      </div>
      <ErrorNote problem={problem} onRetry={refresh} />
      <ul className="now-question-list">
        {nodes.map((rule) => (
          <li key={rule.uuid} className="row-between">
            <span>
              <Link href={`/alerts/${rule.uuid}`}>{rule.name}</Link>{" "}
              <span className="soft">
                {describeMetric(rule)}, {describeWatched(rule)}
              </span>
            </span>
            <span>
              {rule.value !== null && <strong>{formatValue(rule.metric, rule.value)}</strong>}{" "}
              <span className="small soft">
                above {formatValue(rule.metric, rule.threshold)} · since <TimeAgo at={rule.stateSince} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
