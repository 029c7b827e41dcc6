import { Link } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { getTraceName } from "../get-trace-name.ts";
import { type ShownTrace, TraceQuery } from "../page/trace-query.ts";
import { useSkeleton } from "../page/use-skeleton.ts";
import { TraceChips } from "../trace-chips.tsx";
import { SpanDifferences } from "./span-differences.tsx";
import { Sums } from "./sums.tsx";

const ABOVE = { href: "/traces", title: "Traces" };

type Ids = { before: string; after: string };

/** Two traces side by side: their sums, and what is new, gone, slower or faster in the second. */
export function ComparePage({ before, after }: Ids) {
  const first = useLiveQuery(TraceQuery, { traceId: before }, { types: [] });
  const second = useLiveQuery(TraceQuery, { traceId: after }, { types: [] });
  return (
    <OnePage what="trace" above={ABOVE} query={first}>
      {({ trace }) => (
        <OnePage what="trace" above={ABOVE} query={second}>
          {({ trace: other }) => (
            <Page
              title="Compare traces"
              above={ABOVE}
              action={
                <Link className="button" href={`/traces/${after}/compare/${before}`}>
                  Swap
                </Link>
              }
            >
              <Comparison before={trace} after={other} />
            </Page>
          )}
        </OnePage>
      )}
    </OnePage>
  );
}

function Comparison({ before, after }: { before: ShownTrace; after: ShownTrace }) {
  const [first, second] = [useSkeleton(before), useSkeleton(after)];
  const problem = first.problem ?? second.problem;
  return (
    <div className="stack">
      <div className="traces-compared">
        <Compared trace={before} label="First" />
        <Compared trace={after} label="Second" />
      </div>
      <Sums before={before} after={after} />
      <ErrorNote problem={problem} onRetry={first.problem === null ? second.refresh : first.refresh} />
      {first.tree === null || second.tree === null ? (
        <Busy isBusy={problem === null} label="Loading the spans" />
      ) : (
        <SpanDifferences before={first.tree} after={second.tree} />
      )}
    </div>
  );
}

function Compared({ trace, label }: { trace: ShownTrace; label: string }) {
  return (
    <section className="card stack-s" aria-label={label}>
      <span className="small soft">{label}</span>
      <Link href={`/traces/${trace.traceId}`}>{getTraceName(trace)}</Link>
      <div className="in-line">
        <TraceChips trace={trace} />
        <span>{trace.agent?.name ?? "unnamed agent"}</span>
        <TimeAgo at={trace.startedAt} />
      </div>
    </section>
  );
}
