import { z } from "zod";
import { readAgentNames } from "../agents/read-agent-names.ts";
import type { Ctx } from "../context.ts";
import { invalid } from "../errors.ts";
import { requireScope } from "../guard.ts";
import { parseInput, wholeNumber } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { GROUPS, type Group, METRICS, type Metric, type MetricName } from "./metrics.ts";
import { type Bucket, timeseriesStatement } from "./timeseries-statement.ts";

const DAY_MS = 86_400_000;

const shape = z
  .object({
    metric: z.enum(Object.keys(METRICS) as [MetricName, ...MetricName[]]),
    from: z.date(),
    to: z.date(),
    step: wholeNumber(LIMITS.seriesStepSeconds),
    groupBy: z.enum(GROUPS).nullish(),
  })
  .superRefine(({ from, to, step }, context) => {
    const rangeMs = to.getTime() - from.getTime();
    function refuse(field: string, message: string): void {
      context.addIssue({ code: "custom", path: [field], message });
    }
    if (rangeMs <= 0) refuse("to", "must be after from");
    if (rangeMs > LIMITS.seriesDays * DAY_MS)
      refuse("from", `must be at most ${LIMITS.seriesDays} days before to`);
    const points = Math.ceil(rangeMs / 1000 / step);
    if (points > LIMITS.seriesPoints) {
      refuse("step", `gives ${points} points; at most ${LIMITS.seriesPoints} are allowed`);
    }
  });

/** A line of a chart: one value for each step from `from` on. */
export type Series = {
  /** What its rows have in common; empty where they have none of it, null for all that are not shown alone. */
  key: string | null;
  label: string;
  from: Date;
  stepSeconds: number;
  /** A count without rows is 0, everything else null. */
  values: (number | null)[];
};

/**
 * Reads a metric over time, in one statement: the twenty largest series, where it is grouped. Where there are
 * more, the twentieth holds all that are left.
 *
 * @throws {DomainError} validation_failed for a range, a step or a group out of bounds; insufficient_scope or
 *   forbidden without the scope that reads what is counted.
 */
export async function readTimeseries(ctx: Ctx, input: z.input<typeof shape>): Promise<Series[]> {
  const { metric: name, from, to, step, groupBy } = parseInput(shape, input);
  const metric: Metric = METRICS[name];
  requireScope(ctx, metric.scope);
  const group = groupBy ?? null;
  const statement = timeseriesStatement(metric, columnOf(metric, group));
  const buckets = await ctx.read<Bucket>(statement, [ctx.workspaceId, from, to, step]);
  const points = Math.ceil((to.getTime() - from.getTime()) / 1000 / step);
  const empty = Array<number | null>(points).fill(metric.empty);
  if (group === null) {
    const values = filled(empty, buckets, { from, step });
    return [{ key: null, label: "all", from, stepSeconds: step, values }];
  }
  const lines = linesOf(buckets);
  const labels = await labelsOf(ctx, group, [...lines.keys()]);
  return [...lines].map(([key, own]) => ({
    key,
    label: key === null ? "other" : (labels.get(key) ?? key),
    from,
    stepSeconds: step,
    values: filled(empty, own, { from, step }),
  }));
}

/** The column that tells a metric's values apart by a group. */
function columnOf(metric: Metric, group: Group | null): string | null {
  if (group === null) return null;
  const column = metric.groups[group];
  if (column !== undefined) return column;
  throw invalid("groupBy", `must be one of ${Object.keys(metric.groups).join(", ")} for this metric`);
}

function linesOf(buckets: readonly Bucket[]): Map<string | null, Bucket[]> {
  const lines = new Map<string | null, Bucket[]>();
  for (const bucket of buckets) {
    const line = lines.get(bucket.key);
    if (line === undefined) lines.set(bucket.key, [bucket]);
    else line.push(bucket);
  }
  return lines;
}

function filled(
  empty: readonly (number | null)[],
  buckets: readonly Bucket[],
  { from, step }: { from: Date; step: number },
): (number | null)[] {
  const values = [...empty];
  for (const { bucket, value } of buckets) {
    values[Math.round((bucket.getTime() - from.getTime()) / 1000 / step)] = value;
  }
  return values;
}

/** What people call agents and robots; to who may not read agents they are their ids. */
async function labelsOf(ctx: Ctx, group: Group, keys: (string | null)[]): Promise<Map<string, string>> {
  const labels = new Map([["", "none"]]);
  if (group !== "agent" && group !== "robot") return labels;
  const ids = keys.filter((key) => key !== null).filter((key) => key !== "");
  for (const [id, { name }] of await readAgentNames(ctx, ids)) labels.set(id, name);
  return labels;
}
