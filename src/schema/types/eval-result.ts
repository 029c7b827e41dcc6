import { EvalResultStatus } from "../../db/generated/enums.ts";
import {
  type EvalResultPage,
  type EvalResultRow,
  evalResultCursor,
  listEvalResults,
} from "../../domain/eval-runs/list-eval-results.ts";
import { findItemTraces, toItemKey } from "../../domain/traces/find-item-traces.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { EvalRun } from "./eval-run.ts";

export const EvalResultStatusEnum = addEnum(
  "EvalResultStatus",
  EvalResultStatus,
  "The status of an item's result: FAILED for a wrong answer, ERRORED if there was no answer to judge.",
);

const loadItemTrace = createBatchLoader<string>(findItemTraces);

const EvalResult = builder.objectRef<EvalResultRow>("EvalResult").implement({
  description: "The result of one item of a run.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    itemKey: t.exposeString("itemKey", { description: "Identifies the item in every run of the suite." }),
    input: t.expose("input", { type: "JSON", nullable: true }),
    expected: t.expose("expected", { type: "JSON", nullable: true }),
    output: t.expose("output", { type: "JSON", nullable: true }),
    status: t.expose("status", { type: EvalResultStatusEnum }),
    scores: t.expose("scores", {
      type: "JSON",
      description: "Each with `name`, `value` and, if known, `label`, `explanation` and `annotator_kind`.",
    }),
    latencyMs: t.exposeInt("latencyMs", { nullable: true }),
    costUsd: t.exposeFloat("costUsd", { nullable: true }),
    traceId: t.string({
      nullable: true,
      description: "The trace that was reported, or the newest one whose spans name the item.",
      resolve: async (result, _args, ctx) => result.traceId ?? (await loadItemTrace(ctx, toItemKey(result))),
    }),
    error: t.exposeString("error", { nullable: true }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const EvalResultFilter = builder.inputType("EvalResultFilter", {
  fields: (t) => ({ status: t.field({ type: EvalResultStatusEnum }), itemKey: t.string() }),
});

/** Each run in a list needs its own statement for its results. */
const STATEMENT_COST = 500;

builder.prismaObjectField(EvalRun, "results", (t) =>
  t.connection(
    {
      type: EvalResult,
      description: "The run's results, ordered by item key.",
      args: { offset: t.arg.int(), filter: t.arg({ type: EvalResultFilter }) },
      complexity: (page) => ({ ...pageComplexity(page), field: STATEMENT_COST }),
      resolve: async ({ id }, { filter, ...page }, ctx) =>
        toResultConnection(await listEvalResults(ctx, page, { ...filter, runId: id })),
    },
    { name: "EvalResultConnection", description: "A page of a run's results." },
    { name: "EvalResultEdge", description: "A result and its cursor." },
  ),
);

function toResultConnection({ nodes, total, generation, ...page }: EvalResultPage) {
  const edges = nodes.map((node) => ({ node, cursor: evalResultCursor(node) }));
  const [startCursor = null, endCursor = null] = [edges[0]?.cursor, edges.at(-1)?.cursor];
  return {
    totalCount: total,
    version: String(generation),
    edges,
    pageInfo: { ...page, startCursor, endCursor },
  };
}
