import { useState } from "react";
import { OnePage } from "../../../app/one-page.tsx";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { useStream } from "../../../data/use-stream.ts";
import { useUrlState } from "../../../data/use-url-state.ts";
import { useIsAtLeast } from "../../../data/viewer.tsx";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { getTraceName } from "../get-trace-name.ts";
import { AddToEval } from "../scores/add-to-eval.tsx";
import { Scores } from "../scores/scores.tsx";
import { Waterfall } from "../waterfall/waterfall.tsx";
import { IncompleteNote } from "./incomplete-note.tsx";
import { TraceLead } from "./trace-lead.tsx";
import { type ShownTrace, TraceQuery, TraceSpans } from "./trace-query.ts";
import { useSkeleton } from "./use-skeleton.ts";

const ABOVE = { href: "/traces", title: "Traces" };
/** Logs may say what a trace has used, without spans. */
const FRESHNESS = { types: ["agent.offline", "agent.online"], everyMs: 10_000 };

/** One trace, which may still grow. */
export function TracePage({ traceId }: { traceId: string }) {
  const query = useLiveQuery(TraceQuery, { traceId }, FRESHNESS);
  return (
    <OnePage what="trace" above={ABOVE} query={query}>
      {({ trace }) => (
        <Page title={getTraceName(trace)} above={ABOVE} lead={<TraceLead trace={trace} />}>
          <Spans trace={trace} onGrowth={query.refresh} />
        </Page>
      )}
    </OnePage>
  );
}

type SpansProps = { trace: ShownTrace; onGrowth: () => void };

function Spans({ trace, onGrowth }: SpansProps) {
  const { traceId, generation } = trace;
  const { tree, loaded, problem, take, refresh } = useSkeleton(trace);
  // What comes after this is not among the spans that are loaded, perhaps.
  const [after] = useState(generation);
  useStream(TraceSpans, { traceId, after }, ({ traceSpans }) => {
    take(traceSpans);
    if (traceSpans.generation !== generation) onGrowth();
  });
  const { values } = useUrlState({ span: "" });
  const isOperator = useIsAtLeast("OPERATOR");
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
          <div className="card stack-s">
            <Scores traceId={trace.traceId} spanId={null} isKeyed={values.span === ""} />
            {isOperator && <AddToEval traceId={trace.traceId} />}
          </div>
        </>
      )}
    </div>
  );
}
