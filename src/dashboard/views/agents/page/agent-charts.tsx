import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Chart } from "../../../ui/chart/chart.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import {
  type MeasuredSeries,
  toLine,
  findByStatus,
  formatSeconds,
  getTimes,
} from "../../../ui/chart/lines.ts";
import { useSpan } from "../../../ui/chart/use-span.ts";

const AgentChartsQuery = graphql(`
  query AgentCharts($from: DateTime!, $to: DateTime!, $step: Int!) {
    finished: timeseries(metric: TASKS_FINISHED, from: $from, to: $to, step: $step, groupBy: AGENT) {
      ...AgentSeries
    }
    acknowledgement: timeseries(metric: COMMAND_ACK_P95, from: $from, to: $to, step: $step, groupBy: AGENT) {
      ...AgentSeries
    }
  }
  fragment AgentSeries on Series {
    key
    from
    stepSeconds
    values
  }
`);

const FRESHNESS = { types: ["task.*", "agent_command.*"], apartMs: 10_000 };

/** Tasks finished and time to acknowledge commands, over the last day. */
export function AgentCharts({ uuid }: { uuid: string }) {
  const { data, problem, refresh } = useLiveQuery(AgentChartsQuery, useSpan("day"), FRESHNESS);
  return (
    <section className="stack-m" aria-label="Charts of the last day">
      <ErrorNote problem={problem} onRetry={refresh} />
      {data !== null && (
        <div className="agents-charts">
          <Own title="Tasks finished, last day" label="tasks" uuid={uuid} measured={data.finished} isCount />
          <Own title="Time to acknowledge commands" label="p95" uuid={uuid} measured={data.acknowledgement} />
        </div>
      )}
    </section>
  );
}

type OwnProps = {
  title: string;
  label: string;
  uuid: string;
  measured: readonly MeasuredSeries[];
  isCount?: boolean;
};

/** The agent's own series. The server returns only the top twenty agents of a metric. */
function Own({ title, label, uuid, measured, isCount = false }: OwnProps) {
  const own = findByStatus(uuid, measured);
  const isHidden = own === undefined && measured.some(({ key }) => key === null);
  if (isHidden) {
    return (
      <section className="card chart">
        <h2>{title}</h2>
        <p className="soft">Charts are available only for the most active agents.</p>
      </section>
    );
  }
  return (
    <Chart
      title={title}
      kind={isCount ? "bars" : "lines"}
      times={own === undefined ? [] : getTimes([own])}
      series={[toLine(label, "accent", own)]}
      {...(!isCount && { format: formatSeconds })}
    />
  );
}
