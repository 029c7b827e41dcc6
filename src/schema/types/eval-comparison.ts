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
  description: "How many items differ between two runs, and how.",
  fields: (t) => ({
    regressions: t.exposeInt("regressions", {
      description: "Passed in the baseline; failed or errored now.",
    }),
    improvements: t.exposeInt("improvements", {
      description: "Failed or errored in the baseline; passed now.",
    }),
    added: t.exposeInt("added", { description: "Not in the baseline." }),
    removed: t.exposeInt("removed", { description: "In the baseline alone." }),
    unchanged: t.exposeInt("unchanged", { description: "In both, and neither worse nor better." }),
  }),
});

const Change = builder.objectRef<EvalChange>("EvalChange").implement({
  description: "An item whose result differs between two runs.",
  fields: (t) => ({
    itemKey: t.exposeString("itemKey"),
    from: t.expose("from", { type: EvalResultStatusEnum, nullable: true, description: "In the baseline." }),
    to: t.expose("to", { type: EvalResultStatusEnum, nullable: true, description: "In the run." }),
    traceId: t.exposeString("traceId", { nullable: true }),
    baselineTraceId: t.exposeString("baselineTraceId", { nullable: true }),
  }),
});

const Delta = builder.objectRef<ScoreDelta>("EvalScoreDelta").implement({
  description: "How the mean of a score moved; null where one of the runs does not have it.",
  fields: (t) => ({
    name: t.exposeString("name"),
    from: t.exposeFloat("from", { nullable: true, description: "The baseline's mean." }),
    to: t.exposeFloat("to", { nullable: true, description: "The run's mean." }),
    delta: t.exposeFloat("delta", { nullable: true }),
  }),
});

/** The page is what multiplies: its lists count each field once. */
const LIST = { field: 1, multiplier: 1 };

const Comparison = builder.objectRef<EvalComparison>("EvalComparison").implement({
  description: "A run beside its baseline, item by item. Its lists are by the keys of their items.",
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
    description: "A run beside its own baseline, or beside another run.",
    args: {
      runId: t.arg.id({ required: true }),
      baselineId: t.arg.id({
        description: "Another run, or `latest_baseline` for the one that the suite has now.",
      }),
      first: t.arg.int({ description: "How much of each list, 0 to 100; 50 where it is left out." }),
      offset: t.arg.int({ description: "Where each list begins." }),
    },
    complexity: comparisonComplexity,
    resolve: (_root, { runId, baselineId, first, offset }, ctx) =>
      compareEvalRuns(ctx, {
        runId: fromGlobalId("runId", "EvalRun", runId),
        baselineId: parseBaseline("baselineId", baselineId),
        ...{ first, offset },
      }),
  }),
);

/** To count, and to find the items of a list, goes through all results of both runs, however few are asked for. */
function comparisonComplexity(args: OffsetArgs) {
  const { multiplier } = offsetComplexity(args);
  return { field: 500, multiplier: Math.max(multiplier, LIMITS.pageSize.default) };
}
