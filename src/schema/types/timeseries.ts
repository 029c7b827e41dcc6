import { GROUPS, METRICS, type MetricName } from "../../domain/overview/metrics.ts";
import { type MetricSeries, readTimeseries } from "../../domain/overview/read-timeseries.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";
import { addEnum, toEnumValues } from "../enum.ts";

// The names of the metrics, which Object.keys() loses.
const Metric = addEnum(
  "Metric",
  toEnumValues(Object.keys(METRICS) as MetricName[]),
  "What can be drawn over time.",
);
const GroupBy = addEnum("GroupBy", toEnumValues(GROUPS), "What tells a metric's series apart.");

const SeriesType = builder.objectRef<MetricSeries>("Series").implement({
  description: "A line of a chart: one value for each step from `from` on.",
  fields: (t) => ({
    key: t.exposeString("key", {
      nullable: true,
      description:
        "What its rows have in common: a status, a uuid, ... Empty where they have none, null for the rest.",
    }),
    label: t.exposeString("label", {
      description: "The key for people: an agent's name in place of its uuid.",
    }),
    from: t.expose("from", { type: "DateTime" }),
    stepSeconds: t.exposeInt("stepSeconds"),
    values: t.field({
      type: ["Float"],
      nullable: { list: false, items: true },
      description: "A count without rows is 0; a rate, a level or a percentile (in seconds) is null.",
      resolve: ({ values }) => values,
    }),
  }),
});

builder.queryFields((t) => ({
  timeseries: t.field({
    type: [SeriesType],
    description:
      "A metric over time: one series, or the 20 largest of a group, of which the last holds the rest where there are more.",
    args: {
      metric: t.arg({ type: Metric, required: true }),
      from: t.arg({ type: "DateTime", required: true }),
      to: t.arg({ type: "DateTime", required: true, description: "At most 31 days after it." }),
      step: t.arg.int({ required: true, description: "Seconds; at most 1,000 steps." }),
      groupBy: t.arg({ type: GroupBy }),
    },
    complexity: ({ groupBy, ...range }) => ({
      field: 1 + Math.ceil(estimatePoints(range) / 10),
      multiplier: groupBy === null || groupBy === undefined ? 1 : LIMITS.series,
    }),
    resolve: (_root, args, ctx) => readTimeseries(ctx, args),
  }),
}));

/** How many points are asked for, as far as can be told before the arguments are held to their types. */
function estimatePoints({ from, to, step }: { from: Date; to: Date; step: number }): number {
  const points = (new Date(to).getTime() - new Date(from).getTime()) / 1000 / step;
  return points > 0 ? Math.min(points, LIMITS.seriesPoints) : LIMITS.seriesPoints;
}
