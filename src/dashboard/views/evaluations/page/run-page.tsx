import { Link } from "wouter";
import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { FailureNote } from "../../../ui/failure/failure-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { VerdictChip } from "../verdict-chip.tsx";
import { Comparison } from "./comparison.tsx";
import { PromoteButton } from "./promote-button.tsx";
import { ResultList } from "./result-list.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunQuery, type ShownRun } from "./run-query.ts";
import { RunTotals } from "./run-totals.tsx";

const ABOVE = { href: "/evaluations", title: "Evaluations" };

/** One run: its verdict, its comparison with its baseline or another run, and its results. */
export function RunPage({ uuid }: { uuid: string }) {
  const query = useLiveQuery(RunQuery, { id: toGlobalId("EvalRun", uuid) }, { types: ["eval_run.*"] });
  return (
    <OnePage what="evaluation run" above={ABOVE} query={query}>
      {({ evalRun: run }) => (
        <Page
          title={run.name}
          above={ABOVE}
          lead={<RunLead run={run} />}
          action={<PromoteButton run={run} />}
        >
          <FailureNote error={run.error} />
          <div className="with-aside">
            <div className="stack">
              <RunTotals run={run} />
              <Comparison run={run} />
              <ResultList id={run.id} />
            </div>
            <RunFacts run={run} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}

/** A run's state in one line. */
function RunLead({ run: { verdict, status, baseline, suite } }: { run: ShownRun }) {
  return (
    <div className="in-line">
      <VerdictChip verdict={verdict} />
      <StatusChip status={status} />
      {baseline && <StatusChip status="BASELINE" tone="busy" />}
      <Link href={`/evaluations?suite=${encodeURIComponent(suite)}`}>{suite}</Link>
    </div>
  );
}
