import { Link } from "wouter";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { type Span, useSpan } from "../../../ui/chart/use-span.ts";
import type { WindowName } from "../../../ui/chart/windows.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { toFieldTime } from "../../../ui/format-local-time.ts";
import { toWords } from "../../../ui/words.ts";
import { toTotalSpan } from "../to-total-span.ts";

const CausesQuery = graphql(`
  query FailureCauses($from: DateTime!, $to: DateTime!, $step: Int!) {
    causes: timeseries(metric: TASKS_FAILED, from: $from, to: $to, step: $step, groupBy: CAUSE) {
      key
      values
    }
  }
`);

const FRESHNESS = { types: ["task.*"], apartMs: 10_000 };
const SHOWN = 8;

/** The errors with which most tasks failed. */
export function FailureCauses({ window }: { window: WindowName }) {
  const span = useSpan(window);
  const { data, problem, refresh } = useLiveQuery(CausesQuery, toTotalSpan(span), FRESHNESS);
  const causes = data?.causes.slice(0, SHOWN) ?? [];
  return (
    <section className="card stack-s" aria-labelledby="now-failures">
      <h2 id="now-failures">Failed tasks by error</h2>
      <ErrorNote problem={problem} onRetry={refresh} />
      {data !== null && causes.length === 0 && <p className="soft">No task failed.</p>}
      <ul className="now-sums">
        {causes.map(({ key, values }) => (
          <li key={key} className="row-between">
            <Link href={toFailedTasks(span)}>{nameCause(key)}</Link>
            <span className="small soft">{(values[0] ?? 0).toLocaleString("en")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function nameCause(code: string | null): string {
  if (code === null) return "other errors";
  return code === "" ? "no code" : toWords(code);
}

function toFailedTasks({ from }: Span): string {
  return `/tasks?view=list&status=FAILED&since=${toFieldTime(from)}`;
}
