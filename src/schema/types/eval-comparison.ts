import type { EvalChangeCounts } from "../../domain/eval-runs/eval-changes.ts";
import {
  type EvalComparison,
  type ScoreDelta,
  compareEvalRuns,
} from "../../domain/eval-runs/compare-eval-runs.ts";
import { type EvalChange, listEvalChanges } from "../../domain/eval-runs/list-eval-changes.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { type OffsetArgs, offsetComplexity } from "../offset-page.ts";
import { parseBaseline } from "./eval-baseline.ts";
import { EvalResultStatusEnum } from "./eval-result.ts";
import { EvalRun } from "./eval-run.ts";

const Counts = builder.objectRef<EvalChangeCounts>("EvalChangeCounts").implement({
  description: "The number of items that differ between two runs, by kind of change.",
  fields: (t) => ({
    regressions: t.exposeInt("regressions", {
      description: "Passed in the baseline, failed or errored in this run.",
    }),
    improvements: t.exposeInt("improvements", {
      description: "Failed or errored in the baseline, passed in this run.",
    }),
    added: t.exposeInt("added", { description: "Only in this run." }),
    removed: t.exposeInt("removed", { description: "Only in the baseline." }),
    unchanged: t.exposeInt("unchanged", { description: "In both runs, neither better nor worse." }),
  }),
});

const Change = builder.objectRef<EvalChange>("EvalChange").implement({
  description: "An item whose result differs between two runs.",
  fields: (t) => ({
    itemKey: t.exposeString("itemKey"),
    from: t.expose("from", {
      type: EvalResultStatusEnum,
      nullable: true,
      description: "The status in the baseline.",
    }),
    to: t.expose("to", {
      type: EvalResultStatusEnum,
      nullable: true,
      description: "The status in this run.",
    }),
    traceId: t.exposeString("traceId", { nullable: true }),
    baselineTraceId: t.exposeString("baselineTraceId", { nullable: true }),
  }),
});

const Delta = builder.objectRef<ScoreDelta>("EvalScoreDelta").implement({
  description: "How the mean of a score changed. A value is null if its run does not have the score.",
  fields: (t) => ({
    name: t.exposeString("name"),
    from: t.exposeFloat("from", { nullable: true, description: "The mean in the baseline." }),
    to: t.exposeFloat("to", { nullable: true, description: "The mean in this run." }),
    delta: t.exposeFloat("delta", { nullable: true }),
  }),
});

/** Multiplied at the page, so that a field of a list counts once. */
const LIST = { field: 1, multiplier: 1 };

const Comparison = builder.objectRef<EvalComparison>("EvalComparison").implement({
  description: "A run compared with a baseline, item by item. Its lists are ordered by item key.",
  fields: (t) => ({
    run: t.field({ type: EvalRun, resolve: ({ run }) => run }),
    baseline: t.field({ type: EvalRun, resolve: ({ baseline }) => baseline }),
    counts: t.field({ type: Counts, resolve: ({ counts }) => counts }),
    scoreDeltas: t.field({ type: [Delta], complexity: LIST, resolve: ({ scoreDeltas }) => scoreDeltas }),
    regressions: t.field({
      type: [Change],
      complexity: LIST,
      resolve: (comparison, _args, ctx) => listEvalChanges(ctx, comparison, "regressions"),
    }),
    improvements: t.field({
      type: [Change],
      complexity: LIST,
      resolve: (comparison, _args, ctx) => listEvalChanges(ctx, comparison, "improvements"),
    }),
    added: t.field({
      type: [Change],
      complexity: LIST,
      resolve: (comparison, _args, ctx) => listEvalChanges(ctx, comparison, "added"),
    }),
    removed: t.field({
      type: [Change],
      complexity: LIST,
      resolve: (comparison, _args, ctx) => listEvalChanges(ctx, comparison, "removed"),
    }),
  }),
});

builder.queryField("evalComparison", (t) =>
  t.field({
    type: Comparison,
    description: "Compares a run with its own baseline or with another run.",
    args: {
      runId: t.arg.id({ required: true }),
      baselineId: t.arg.id({
        description:
          "Another run, or `latest_baseline` for the suite's current baseline. Default: the run's own baseline.",
      }),
      first: t.arg.int({ description: "The size of each list's page, 0 to 100. Default 50." }),
      offset: t.arg.int({ description: "The offset of each list's page." }),
    },
    complexity: comparisonComplexity,
    resolve: (_root, { runId, baselineId, first, offset }, ctx) =>
      compareEvalRuns(ctx, {
        runId: fromGlobalId("runId", "EvalRun", runId),
        baselineId: parseBaseline("baselineId", baselineId),
        first,
        offset,
      }),
  }),
);

/**
 * Has a high fixed cost: counting and finding changes reads all results of both runs, however few are asked
 * for.
 */
function comparisonComplexity(args: OffsetArgs) {
  const { multiplier } = offsetComplexity(args);
  return { field: 500, multiplier: Math.max(multiplier, LIMITS.pageSize.default) };
}
