import { addTraceToEval } from "../../domain/traces/add-trace-to-eval.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { EvalResultStatusEnum } from "./eval-result.ts";
import { EvalRun } from "./eval-run.ts";

/** The content of up to 100,000 spans is looked at. */
const CONTENT_COST = 200;

builder.relayMutationField(
  "addTraceToEval",
  {
    inputFields: (t) => ({
      traceId: t.string({ required: true, description: "32 hexadecimal digits." }),
      runId: t.id({ required: true, description: "A run that has not finished." }),
      itemKey: t.string({ description: "1 to 200 characters. Default: the trace's id." }),
      status: t.field({ type: EvalResultStatusEnum, required: true }),
      expected: t.field({ type: "JSON", description: "What the answer should have been. At most 256 KiB." }),
    }),
  },
  {
    description:
      "Adds a trace to an evaluation run as the result of an item: what its root was given and answered, its time, cost " +
      "and scores. It replaces the item's earlier result. Needs `eval_runs:write` and `traces:read`.",
    complexity: CONTENT_COST,
    resolve: (_root, { input: { clientMutationId: _id, runId, ...given } }, ctx) =>
      addTraceToEval(ctx, { ...given, runId: fromGlobalId("runId", "EvalRun", runId) }),
  },
  {
    outputFields: (t) => ({
      updated: t.boolean({
        description: "Whether it replaced an earlier result.",
        resolve: ({ updated }) => updated > 0,
      }),
      evalRun: t.field({ type: EvalRun, resolve: ({ run }) => run }),
    }),
  },
);
