import { graphql } from "../../../data/graphql.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Chart } from "../../../ui/chart/chart.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { useNow } from "../../../ui/use-now.ts";

const BatterySamples = graphql(`
  query RobotBattery($id: ID!, $from: DateTime!, $to: DateTime!) {
    robot(id: $id) {
      id
      samples(from: $from, to: $to) {
        at
        batteryPercent
      }
    }
  }
`);

const MINUTE_MS = 60_000;
const SHOWN_MS = 6 * 60 * MINUTE_MS;

/** A robot's battery level over the last six hours. */
export function BatteryChart({ id }: { id: string }) {
  const to = Math.ceil(useNow() / MINUTE_MS) * MINUTE_MS;
  const { data, problem, refresh } = useLiveQuery(
    BatterySamples,
    { id, from: new Date(to - SHOWN_MS).toISOString(), to: new Date(to).toISOString() },
    { types: ["robot.state_changed"], apartMs: 10_000 },
  );
  if (data === null) return <ErrorNote problem={problem} onRetry={refresh} />;
  const { samples } = data.robot;
  return (
    <Chart
      title="Battery, last 6 hours"
      span={[(to - SHOWN_MS) / 1000, to / 1000]}
      top={100}
      times={samples.map(({ at }) => Date.parse(at) / 1000)}
      series={[
        { label: "charge", color: "accent", values: samples.map(({ batteryPercent }) => batteryPercent) },
      ]}
      format={(percent) => `${Math.round(percent)} %`}
    />
  );
}
