import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { Chart } from "../../../ui/chart/chart.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { WINDOWS, type WindowName } from "../../../ui/chart/windows.ts";
import { toLine, toStatusLines, findByStatus, formatSeconds, getTimes } from "../../../ui/chart/lines.ts";
import { useSpan } from "../../../ui/chart/use-span.ts";
import { type ChartRule, toLimit, useChartRules } from "../../alerts/use-chart-rules.ts";
import { FailureRate } from "./failure-rate.tsx";

const NowCharts = graphql(`
  query NowCharts($from: DateTime!, $to: DateTime!, $step: Int!) {
    finished: timeseries(metric: TASKS_FINISHED, from: $from, to: $to, step: $step, groupBy: STATUS) {
      ...NowSeries
    }
    created: timeseries(metric: TASKS_CREATED, from: $from, to: $to, step: $step) {
      ...NowSeries
    }
    allFinished: timeseries(metric: TASKS_FINISHED, from: $from, to: $to, step: $step) {
      ...NowSeries
    }
    leases: timeseries(metric: LEASES_EXPIRED, from: $from, to: $to, step: $step) {
      ...NowSeries
    }
    commands: timeseries(metric: COMMANDS_FINISHED, from: $from, to: $to, step: $step, groupBy: STATUS) {
      ...NowSeries
    }
    acknowledgement: timeseries(metric: COMMAND_ACK_P95, from: $from, to: $to, step: $step) {
      ...NowSeries
    }
  }
  fragment NowSeries on Series {
    key
    from
    stepSeconds
    values
  }
`);

type Data = ResultOf<typeof NowCharts>;

const FRESHNESS = { types: ["task.*", "agent_command.*"], apartMs: 5000 };

/** Charts of finished work and failures. */
export function Charts({ window }: { window: WindowName }) {
  const { data, problem, isLoading, refresh } = useLiveQuery(NowCharts, useSpan(window), FRESHNESS);
  const rules = useChartRules();
  return (
    <section className="stack-m" aria-label={`Charts of ${WINDOWS[window].label}`}>
      <ErrorNote problem={problem} onRetry={refresh} />
      <Busy isBusy={isLoading} lines={data === null ? 6 : 0} />
      {data !== null && (
        <div className="now-charts">
          <TaskCharts data={data} />
          <TroubleCharts data={data} rules={rules} />
          <FailureRates
            window={window}
            rules={rules.filter(({ metric }) => metric === "TASK_FAILURE_RATE")}
          />
        </div>
      )}
    </section>
  );
}

function TaskCharts({ data }: { data: Data }) {
  const times = getTimes(data.created);
  const created = toLine("created", "ink-soft", data.created[0]);
  const finished = toLine("finished", "accent", data.allFinished[0]);
  return (
    <>
      <Chart title="Tasks finished" kind="bars" times={times} series={toStatusLines(data.finished)} />
      <Chart title="Tasks created and finished" times={times} series={[created, finished]} />
    </>
  );
}

function TroubleCharts({ data, rules }: { data: Data; rules: readonly ChartRule[] }) {
  const times = getTimes(data.created);
  const failures = [
    toLine("tasks", "danger", findByStatus("failed", data.finished)),
    toLine("expired leases", "warn", data.leases[0]),
    toLine("commands", "accent", findByStatus("failed", data.commands)),
  ];
  return (
    <>
      <Chart title="Failures" times={times} series={failures} />
      <Chart
        title="Time to acknowledge commands"
        times={times}
        series={[toLine("p95", "accent", data.acknowledgement[0])]}
        limits={rules.filter(({ metric }) => metric === "COMMAND_ACK_P95").map(toLimit)}
        format={formatSeconds}
      />
    </>
  );
}

/** Failure rates that rules watch, a chart for each window. */
function FailureRates({ window, rules }: { window: WindowName; rules: readonly ChartRule[] }) {
  const windows = [...new Set(rules.map(({ windowSeconds }) => windowSeconds ?? 0))];
  return windows.map((seconds) => (
    <FailureRate
      key={seconds}
      window={window}
      seconds={seconds}
      rules={rules.filter(({ windowSeconds }) => windowSeconds === seconds)}
    />
  ));
}
