import { graphql } from "../../../data/graphql.ts";
import { type Freshness, useLiveQuery } from "../../../data/use-live-query.ts";
import { Chart } from "../../../ui/chart/chart.tsx";
import { findByStatus, getTimes, toLine } from "../../../ui/chart/lines.ts";
import type { Span } from "../../../ui/chart/use-span.ts";
import { WINDOWS, type WindowName } from "../../../ui/chart/windows.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";

const OutcomesQuery = graphql(`
  query DecisionOutcomes($from: DateTime!, $to: DateTime!, $step: Int!) {
    all: timeseries(metric: DECISIONS, from: $from, to: $to, step: $step) {
      from
      stepSeconds
      values
      key
    }
    outcomes: timeseries(metric: DECISIONS, from: $from, to: $to, step: $step, groupBy: OUTCOME) {
      from
      stepSeconds
      values
      key
    }
  }
`);

/** From bottom to top. */
const OUTCOMES = [
  ["allow", "allowed", "good"],
  ["ask", "asked", "warn"],
  ["deny", "denied", "danger"],
] as const;

type OutcomeChartProps = { window: WindowName; span: Span; freshness: Freshness };

/** How many requests of all agents were allowed, asked about and denied. Counts those that are not stored too. */
export function OutcomeChart({ window, span, freshness }: OutcomeChartProps) {
  const { data, problem, refresh } = useLiveQuery(OutcomesQuery, span, freshness);
  if (data === null) return <ErrorNote problem={problem} onRetry={refresh} />;
  return (
    <>
      <ErrorNote problem={problem} onRetry={refresh} />
      <Chart
        title={`Decisions of ${WINDOWS[window].label}`}
        kind="bars"
        times={getTimes(data.all)}
        series={OUTCOMES.map(([outcome, label, color]) =>
          toLine(label, color, findByStatus(outcome, data.outcomes)),
        )}
      />
    </>
  );
}
