import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Chart } from "../../../ui/chart/chart.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { getTimes } from "../../../ui/chart/lines.ts";

const PassRates = graphql(`
  query PassRates($from: DateTime!, $to: DateTime!, $step: Int!) {
    timeseries(metric: EVAL_PASS_RATE, from: $from, to: $to, step: $step, groupBy: SUITE) {
      key
      label
      from
      stepSeconds
      values
    }
  }
`);

const DAY_MS = 86_400_000;
const DAYS = 30;
const COLORS = ["accent", "good", "warn", "danger", "ink-soft"] as const;

/** Pass rates over the last month, of all suites or one. */
export function PassRateChart({ suite }: { suite: string }) {
  const to = Math.ceil(useNow() / DAY_MS) * DAY_MS;
  const { data, problem, refresh } = useLiveQuery(
    PassRates,
    { from: new Date(to - DAYS * DAY_MS).toISOString(), to: new Date(to).toISOString(), step: DAY_MS / 1000 },
    { types: ["eval_run.*"], apartMs: 5000 },
  );
  if (data === null) return <ErrorNote problem={problem} onRetry={refresh} />;
  const shown = data.timeseries.filter(({ key }) => key !== null && (suite === "" || key === suite));
  const some = shown.length > COLORS.length ? `, ${COLORS.length} of ${shown.length} suites` : "";
  return (
    <Chart
      title={`Pass rate as of each suite’s last run, 30 days${some}`}
      top={1}
      times={getTimes(shown)}
      series={COLORS.flatMap((color, place) => {
        const measured = shown[place];
        return measured === undefined
          ? []
          : [{ label: measured.label, color, values: carryForward(measured.values) }];
      })}
      format={(rate) => `${Math.round(rate * 1000) / 10} %`}
    />
  );
}

/** Fills days without a run with the suite's previous value. */
function carryForward(values: readonly (number | null)[]): (number | null)[] {
  let last: number | null = null;
  return values.map((value) => (last = value ?? last));
}
