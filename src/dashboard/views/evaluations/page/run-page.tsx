import { NotFound } from "../../../app/not-found.tsx";
import { globalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Page } from "../../../ui/page.tsx";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { WhyEnded } from "../../missions/page/why-ended.tsx";
import { VerdictChip } from "../verdict-chip.tsx";
import { Comparison } from "./comparison.tsx";
import { PromoteButton } from "./promote-button.tsx";
import { ResultList } from "./result-list.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunQuery } from "./run-query.ts";
import { RunTotals } from "./run-totals.tsx";

const ABOVE = { href: "/evaluations", title: "Evaluations" };

/** One run: its verdict and why, what became worse and better, and each of its results. */
export function RunPage({ uuid }: { uuid: string }) {
  const { data, problem, isLoading, refresh } = useLiveQuery(
    RunQuery,
    { id: globalId("EvalRun", uuid) },
    { types: ["eval_run.*"] },
  );
  if (problem?.code === "NOT_FOUND") return <NotFound what="evaluation run" />;
  if (data === null) {
    return (
      <Page title="Evaluation run" above={ABOVE}>
        <ErrorNote problem={problem} onRetry={refresh} />
        <Busy isBusy={isLoading} />
      </Page>
    );
  }
  const run = data.evalRun;
  const lead = (
    <div className="evaluations-lead">
      <VerdictChip verdict={run.verdict} />
      <StatusChip status={run.status} />
      {run.baseline && <StatusChip status="BASELINE" tone="busy" />}
      <span>{run.suite}</span>
    </div>
  );
  return (
    <Page title={run.name} above={ABOVE} lead={lead} action={<PromoteButton run={run} />}>
      <ErrorNote problem={problem} onRetry={refresh} />
      <WhyEnded error={run.error} />
      <div className="evaluations-columns">
        <div className="stack">
          <RunTotals run={run} />
          {run.baselineRunUuid !== null && <Comparison id={run.id} />}
          <ResultList id={run.id} />
        </div>
        <RunFacts run={run} />
      </div>
    </Page>
  );
}
