import { OnePage } from "../../../app/one-page.tsx";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { getTraceName } from "../get-trace-name.ts";
import { Waterfall } from "../waterfall/waterfall.tsx";
import { IncompleteNote } from "./incomplete-note.tsx";
import { TraceLead } from "./trace-lead.tsx";
import { type ShownTrace, TraceQuery } from "./trace-query.ts";
import { useSkeleton } from "./use-skeleton.ts";

const ABOVE = { href: "/traces", title: "Traces" };
/** Traces have no events. */
const FRESHNESS = { types: [], everyMs: 3000 };

/** One trace, which may still grow. */
export function TracePage({ traceId }: { traceId: string }) {
  const query = useLiveQuery(TraceQuery, { traceId }, FRESHNESS);
  return (
    <OnePage what="trace" above={ABOVE} query={query}>
      {({ trace }) => (
        <Page title={getTraceName(trace)} above={ABOVE} lead={<TraceLead trace={trace} />}>
          <Spans trace={trace} />
        </Page>
      )}
    </OnePage>
  );
}

function Spans({ trace }: { trace: ShownTrace }) {
  const { tree, loaded, problem, refresh } = useSkeleton(trace.traceId, trace.generation);
  const count = trace.spanCount.toLocaleString("en");
  return (
    <div className="stack-m">
      <ErrorNote problem={problem} onRetry={refresh} />
      {tree === null ? (
        <Busy
          isBusy={problem === null}
          label={`Loading the spans: ${loaded.toLocaleString("en")} of ${count}`}
        />
      ) : (
        <>
          <IncompleteNote trace={trace} tree={tree} />
          <Waterfall trace={trace} tree={tree} />
        </>
      )}
    </div>
  );
}
