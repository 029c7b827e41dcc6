import { addEvalResults } from "../../domain/eval-runs/add-eval-results.ts";
import { cancelEvalRun } from "../../domain/eval-runs/cancel-eval-run.ts";
import { completeEvalRun } from "../../domain/eval-runs/complete-eval-run.ts";
import { createEvalRun } from "../../domain/eval-runs/create-eval-run.ts";
import { ANNOTATOR_KINDS } from "../../domain/eval-runs/eval-result-input.ts";
import { failEvalRun } from "../../domain/eval-runs/fail-eval-run.ts";
import { promoteEvalBaseline } from "../../domain/eval-runs/promote-eval-baseline.ts";
import { builder } from "../builder.ts";
import { addEnum, toEnumValues } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { parseBaseline } from "./eval-baseline.ts";
import { EvalResultStatusEnum } from "./eval-result.ts";
import { EvalRun } from "./eval-run.ts";

const Dataset = builder.inputType("EvalDatasetInput", {
  fields: (t) => ({ name: t.string({ required: true }), version: t.string() }),
});

const Gate = builder.inputType("EvalGateInput", {
  description: "The conditions for the verdict PASSED. Without any there is no verdict.",
  fields: (t) => ({
    minPassRate: t.float({
      description: "The least share of passed results, 0 to 1. Skipped results don't count.",
    }),
    maxRegressions: t.int({
      description: "The most items that may have passed in the baseline and not in this run.",
    }),
    minScores: t.field({ type: "JSON", description: "The least mean of each score, by the score's name." }),
  }),
});

const Source = builder.inputType("EvalSourceInput", {
  fields: (t) => ({ commit: t.string(), branch: t.string(), ciUrl: t.string() }),
});

builder.relayMutationField(
  "createEvalRun",
  {
    inputFields: (t) => ({
      suite: t.string({ required: true, description: "Runs of the same suite share one baseline." }),
      name: t.string({ required: true }),
      agentId: t.id({ description: "The agent that is evaluated." }),
      agentVersion: t.string(),
      dataset: t.field({ type: Dataset }),
      baselineRunId: t.id({
        description:
          "A completed run of the suite, or `latest_baseline` for the suite's current baseline, if there is one.",
      }),
      gate: t.field({ type: Gate }),
      source: t.field({ type: Source }),
      metadata: t.field({ type: "JSON", description: "An object of at most 16 KiB." }),
    }),
  },
  {
    description: "Creates an evaluation run, which starts with its first results.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, suite, name, agentId, baselineRunId, gate, ...rest } = input;
      // createEvalRun() validates the shape.
      const minScores = gate?.minScores as Record<string, number> | null | undefined;
      const metadata = rest.metadata as Record<string, unknown> | null | undefined;
      const run = await createEvalRun(ctx, {
        ...omitNulls({ ...rest, metadata }),
        suite,
        name,
        agentId: fromOptionalGlobalId("agentId", "Agent", agentId),
        baselineRunId: parseBaseline("baselineRunId", baselineRunId),
        gate: gate ? { ...gate, minScores } : null,
      });
      return { run };
    },
  },
  { outputFields: (t) => ({ evalRun: t.field({ type: EvalRun, resolve: ({ run }) => run }) }) },
);

const AnnotatorKind = addEnum(
  "EvalAnnotatorKind",
  toEnumValues(ANNOTATOR_KINDS),
  "Who or what gave a score.",
);

const Score = builder.inputType("EvalScoreInput", {
  fields: (t) => ({
    name: t.string({ required: true }),
    value: t.float({ required: true }),
    label: t.string(),
    explanation: t.string(),
    annotatorKind: t.field({ type: AnnotatorKind }),
  }),
});

const Result = builder.inputType("EvalResultInput", {
  fields: (t) => ({
    itemKey: t.string({
      required: true,
      description: "1 to 200 characters. The same item must have the same key in every run.",
    }),
    status: t.field({ type: EvalResultStatusEnum, required: true }),
    input: t.field({ type: "JSON", description: "At most 256 KiB." }),
    expected: t.field({ type: "JSON", description: "At most 256 KiB." }),
    output: t.field({ type: "JSON", description: "At most 256 KiB." }),
    scores: t.field({ type: [Score], description: "At most 32, with distinct names." }),
    latencyMs: t.int(),
    costUsd: t.float(),
    traceId: t.string({ description: "32 hex digits." }),
    error: t.string({ description: "At most 2,000 characters." }),
  }),
});

builder.relayMutationField(
  "addEvalResults",
  {
    inputFields: (t) => ({
      runId: t.id({ required: true }),
      results: t.field({
        type: [Result],
        required: true,
        description: "1 to 500 results, one per item. A result replaces the item's earlier one.",
      }),
    }),
  },
  {
    description: "Adds results to a run that has not finished. The first results start the run.",
    resolve: (_root, { input }, ctx) =>
      addEvalResults(ctx, {
        runId: fromGlobalId("runId", "EvalRun", input.runId),
        results: input.results.map((result) => ({ ...result, scores: result.scores ?? [] })),
      }),
  },
  {
    outputFields: (t) => ({
      accepted: t.exposeInt("accepted", { description: "The number of results that were stored." }),
      updated: t.exposeInt("updated", { description: "Results that replaced an earlier one." }),
      evalRun: t.field({ type: EvalRun, resolve: ({ run }) => run }),
    }),
  },
);

builder.relayMutationField(
  "completeEvalRun",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Completes a run: its verdict is computed, and its results can't change any more.",
    resolve: async (_root, { input }, ctx) => ({
      run: await completeEvalRun(ctx, { id: fromGlobalId("id", "EvalRun", input.id) }),
    }),
  },
  { outputFields: (t) => ({ evalRun: t.field({ type: EvalRun, resolve: ({ run }) => run }) }) },
);

builder.relayMutationField(
  "cancelEvalRun",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ description: "1 to 2,000 characters." }),
    }),
  },
  {
    description: "Cancels a run that has not finished.",
    resolve: async (_root, { input: { id, reason } }, ctx) => ({
      run: await cancelEvalRun(ctx, { id: fromGlobalId("id", "EvalRun", id), reason }),
    }),
  },
  { outputFields: (t) => ({ evalRun: t.field({ type: EvalRun, resolve: ({ run }) => run }) }) },
);

const Failure = builder.inputType("EvalRunFailure", {
  fields: (t) => ({
    code: t.string({ description: "1 to 64 characters. Default `eval_error`." }),
    message: t.string({ required: true, description: "1 to 2,000 characters." }),
  }),
});

builder.relayMutationField(
  "failEvalRun",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      error: t.field({ type: Failure, required: true }),
    }),
  },
  {
    description: "Ends a run that can't be completed. It gets no verdict.",
    resolve: async (_root, { input: { id, error } }, ctx) => ({
      run: await failEvalRun(ctx, {
        id: fromGlobalId("id", "EvalRun", id),
        error: { ...omitNulls(error), message: error.message },
      }),
    }),
  },
  { outputFields: (t) => ({ evalRun: t.field({ type: EvalRun, resolve: ({ run }) => run }) }) },
);

builder.relayMutationField(
  "promoteEvalBaseline",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Makes a completed run the baseline of its suite, instead of the previous one.",
    resolve: async (_root, { input }, ctx) => ({
      run: await promoteEvalBaseline(ctx, { id: fromGlobalId("id", "EvalRun", input.id) }),
    }),
  },
  { outputFields: (t) => ({ evalRun: t.field({ type: EvalRun, resolve: ({ run }) => run }) }) },
);
