import { z } from "zod";
import { readAgentNames } from "../agents/read-agent-names.ts";
import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { groupBy as groupRows } from "../kernel/group-by.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { GROUPS, type MetricGroup, METRICS, type Metric, type MetricName } from "./metrics.ts";
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
    function reject(field: string, message: string): void {
      context.addIssue({ code: "custom", path: [field], message });
    }
    if (rangeMs <= 0) reject("to", "must be after from");
    if (rangeMs > LIMITS.seriesDays * DAY_MS)
      reject("from", `must be at most ${LIMITS.seriesDays} days before to`);
    const points = Math.ceil(rangeMs / 1000 / step);
    if (points > LIMITS.seriesPoints) {
      reject("step", `gives ${points} points; at most ${LIMITS.seriesPoints} are allowed`);
    }
  });

/** A line of a chart: one value for each step, starting at `from`. */
export type MetricSeries = {
  /** The value that its rows share; empty if they have none, null for the series of all others. */
  key: string | null;
  label: string;
  from: Date;
  stepSeconds: number;
  /** Without rows, a count is 0 and anything else null. */
  values: (number | null)[];
};

/**
 * Reads a metric over time in one statement. With a group, returns the twenty largest series; if there are
 * more, the twentieth is the sum of the others.
 *
 * @throws {DomainError} validation_failed for a range, a step or a group out of bounds; insufficient_scope
 *   or forbidden without the scope to read the counted rows.
 */
export async function readTimeseries(ctx: Ctx, input: z.input<typeof shape>): Promise<MetricSeries[]> {
  const { metric: name, from, to, step, groupBy } = parseInput(shape, input);
  const metric: Metric = METRICS[name];
  requireScope(ctx, metric.scope);
  const group = groupBy ?? null;
  requireGroup(metric, group);
  const statement = timeseriesStatement(metric, group);
  const buckets = await ctx.read(statement, [ctx.workspaceId, from, to, step]);
  const points = Math.ceil((to.getTime() - from.getTime()) / 1000 / step);
  const empty = Array<number | null>(points).fill(metric.empty);
  if (group === null) {
    const values = fillBuckets(empty, buckets, { from, step });
    return [{ key: null, label: "all", from, stepSeconds: step, values }];
  }
  const lines = groupRows(buckets, ({ key }) => key);
  const labels = await readLabels(ctx, group, [...lines.keys()]);
  return [...lines].map(([key, own]) => ({
    key,
    label: key === null ? "other" : (labels.get(key) ?? key),
    from,
    stepSeconds: step,
    values: fillBuckets(empty, own, { from, step }),
  }));
}

/** Requires a metric's own group. */
function requireGroup(metric: Metric, group: MetricGroup | null): void {
  if (group === null || metric.groups[group] !== undefined) return;
  throw createFieldError(
    "groupBy",
    `must be one of ${Object.keys(metric.groups).join(", ")} for this metric`,
  );
}

function fillBuckets(
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

/** Reads the names of agents, robots and policies. If the caller may not read agents, their ids are used. */
async function readLabels(
  ctx: Ctx,
  group: MetricGroup,
  keys: (string | null)[],
): Promise<Map<string, string>> {
  const labels = new Map([["", "none"]]);
  const ids = keys.filter((key) => key !== null).filter((key) => key !== "");
  if (group === "policy") {
    for (const { id, name } of await ctx.read(POLICY_NAMES, [ctx.workspaceId, ids])) labels.set(id, name);
  }
  if (group !== "agent" && group !== "robot") return labels;
  for (const [id, { name }] of await readAgentNames(ctx, ids)) labels.set(id, name);
  return labels;
}

const POLICY_NAMES = sql<{ id: string; name: string }>`
SELECT id, name FROM policy WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`;
