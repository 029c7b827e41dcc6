import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Chart } from "../../../ui/chart/chart.tsx";
import { findByStatus, getTimes } from "../../../ui/chart/lines.ts";
import { useSpan } from "../../../ui/chart/use-span.ts";
import type { WindowName } from "../../../ui/chart/windows.ts";
import { formatPercent } from "../../../ui/words.ts";
import { type ChartRule, toLimit } from "../../alerts/use-chart-rules.ts";
import { describeMetric } from "../../alerts/words/describe-watched.ts";
import { toRollingShares } from "./rolling-shares.ts";

const FailureRateQuery = graphql(`
  query FailureRate($from: DateTime!, $to: DateTime!, $step: Int!) {
    finished: timeseries(metric: TASKS_FINISHED, from: $from, to: $to, step: $step, groupBy: STATUS) {
      key
      from
      stepSeconds
      values
    }
  }
`);

const FRESHNESS = { types: ["task.*"], apartMs: 5000 };
/** The server's maximum. */
const MOST_POINTS = 1000;
const MINUTE = 60;
/** Labels are whole percents. */
const LEAST_TOP = 0.05;

export type FailureRateProps = {
  /** What the chart shows. */
  window: WindowName;
  /** Of how many seconds each point is, as the rules say. */
  seconds: number;
  rules: readonly ChartRule[];
};

/** The share of failed tasks over time, each of the seconds before it, with the thresholds of the rules that watch it. */
export function FailureRate({ window, seconds, rules }: FailureRateProps) {
  const shown = useSpan(window);
  const shownSeconds = (Date.parse(shown.to) - Date.parse(shown.from)) / 1000;
  const fewest = Math.ceil((shownSeconds + seconds) / MOST_POINTS / MINUTE) * MINUTE;
  const step = Math.max(shown.step, fewest);
  const from = new Date(Date.parse(shown.from) - seconds * 1000).toISOString();
  const { data } = useLiveQuery(FailureRateQuery, { from, to: shown.to, step }, FRESHNESS);
  if (data === null) return null;
  const points = Math.ceil(shownSeconds / step);
  const [failed, completed] = [
    findByStatus("failed", data.finished),
    findByStatus("completed", data.finished),
  ];
  const shares = toRollingShares(failed?.values ?? [], completed?.values ?? [], Math.ceil(seconds / step));
  const values = shares.slice(-points);
  const highest = Math.max(
    0,
    ...values.map((value) => value ?? 0),
    ...rules.map(({ threshold }) => threshold),
  );
  return (
    <Chart
      title={describeMetric({ metric: "TASK_FAILURE_RATE", windowSeconds: seconds })}
      times={getTimes(data.finished).slice(-points)}
      series={[{ label: "failed", color: "accent", values }]}
      top={Math.max(LEAST_TOP, highest * 1.1)}
      limits={rules.map(toLimit)}
      format={formatPercent}
    />
  );
}
