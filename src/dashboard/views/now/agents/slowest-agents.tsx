import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useSpan } from "../../../ui/chart/use-span.ts";
import type { WindowName } from "../../../ui/chart/windows.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { formatDuration } from "../../../ui/words.ts";
import { toTotalSpan } from "../to-total-span.ts";

const SlowestQuery = graphql(`
  query SlowestAgents($from: DateTime!, $to: DateTime!, $step: Int!) {
    agents: timeseries(metric: TASK_DURATION_P95, from: $from, to: $to, step: $step, groupBy: AGENT) {
      key
      label
      values
    }
  }
`);

const FRESHNESS = { types: ["task.*"], apartMs: 10_000 };
const SHOWN = 8;

/** Of the agents that finished most tasks, those that took longest: 95 % of their tasks took no longer. */
export function SlowestAgents({ window }: { window: WindowName }) {
  const span = useSpan(window);
  const { data, problem, refresh } = useLiveQuery(SlowestQuery, toTotalSpan(span), FRESHNESS);
  const slowest = (data?.agents ?? [])
    .flatMap(({ key, label, values: [seconds] }) =>
      key === null || key === "" || typeof seconds !== "number" ? [] : [{ uuid: key, name: label, seconds }],
    )
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SHOWN);
  return (
    <section className="card stack-s" aria-labelledby="now-slowest">
      <h2 id="now-slowest">Slowest agents, p95 of a task</h2>
      <ErrorNote problem={problem} onRetry={refresh} />
      {data !== null && slowest.length === 0 && <p className="soft">No agent finished a task.</p>}
      <ul className="now-sums">
        {slowest.map(({ uuid, name, seconds }) => (
          <li key={uuid} className="row-between">
            <Link href={`/agents/${uuid}`}>{name}</Link>
            <span className="small soft">{formatDuration(seconds)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
