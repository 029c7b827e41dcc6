import { GROUPS, METRICS, type MetricName } from "../../domain/overview/metrics.ts";
import { type MetricSeries, readTimeseries } from "../../domain/overview/read-timeseries.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";
import { addEnum, toEnumValues } from "../enum.ts";

// Object.keys() loses the names' types.
const Metric = addEnum(
  "Metric",
  toEnumValues(Object.keys(METRICS) as MetricName[]),
  "A value that can be charted over time.",
);
const GroupBy = addEnum("GroupBy", toEnumValues(GROUPS), "What to group a metric's series by.");

const SeriesType = builder.objectRef<MetricSeries>("Series").implement({
  description: "A line of a chart: one value for each step, starting at `from`.",
  fields: (t) => ({
    key: t.exposeString("key", {
      nullable: true,
      description:
        "The value that its rows share: a status, a uuid and so on. Empty if the rows have none; null for " +
        "the series of all others.",
    }),
    label: t.exposeString("label", {
      description: "The key for display: an agent's name instead of its uuid.",
    }),
    from: t.expose("from", { type: "DateTime" }),
    stepSeconds: t.exposeInt("stepSeconds"),
    values: t.field({
      type: ["Float"],
      nullable: { list: false, items: true },
      description: "Without rows, a count is 0, and a rate, a level or a percentile (in seconds) is null.",
      resolve: ({ values }) => values,
    }),
  }),
});

builder.queryFields((t) => ({
  timeseries: t.field({
    type: [SeriesType],
    description:
      "A metric over time: one series, or the 20 largest of a group. If there are more, the last series " +
      "is the sum of the others. Decisions and hits of policies are counted by minutes, which are kept for two " +
      "days, and for steps of an hour and more by hours, at whose beginning they count. Counts of tasks are exact; the " +
      "fastest are those whose `from` and `step` are whole hours, or of the last two days whole minutes.",
    args: {
      metric: t.arg({ type: Metric, required: true }),
      from: t.arg({ type: "DateTime", required: true }),
      to: t.arg({ type: "DateTime", required: true, description: "At most 31 days after `from`." }),
      step: t.arg.int({ required: true, description: "In seconds. At most 1,000 steps in all." }),
      groupBy: t.arg({ type: GroupBy }),
    },
    complexity: ({ groupBy, ...range }) => ({
      field: 1 + Math.ceil(estimatePoints(range) / 10),
      multiplier: groupBy === null || groupBy === undefined ? 1 : LIMITS.series,
    }),
    resolve: (_root, args, ctx) => readTimeseries(ctx, args),
  }),
}));

/** Estimates the number of points. Runs before the arguments are validated. */
function estimatePoints({ from, to, step }: { from: Date; to: Date; step: number }): number {
  const points = (new Date(to).getTime() - new Date(from).getTime()) / 1000 / step;
  return points > 0 ? Math.min(points, LIMITS.seriesPoints) : LIMITS.seriesPoints;
}
