import { EvalResultStatus } from "../../db/generated/enums.ts";
import {
  type EvalResultPage,
  type EvalResultRow,
  evalResultCursor,
  listEvalResults,
} from "../../domain/eval-runs/list-eval-results.ts";
import { builder } from "../builder.ts";
import { pageComplexity } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { EvalRun } from "./eval-run.ts";

/** What came of an item, for the operations in other files. */
export const EvalResultStatusEnum = addEnum(
  "EvalResultStatus",
  EvalResultStatus,
  "What came of an item: a wrong answer failed; where there was none to judge, it errored.",
);

const EvalResult = builder.objectRef<EvalResultRow>("EvalResult").implement({
  description: "What came of one item of a run.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    itemKey: t.exposeString("itemKey", { description: "Names the item in every run of the suite." }),
    input: t.expose("input", { type: "JSON", nullable: true }),
    expected: t.expose("expected", { type: "JSON", nullable: true }),
    output: t.expose("output", { type: "JSON", nullable: true }),
    status: t.expose("status", { type: EvalResultStatusEnum }),
    scores: t.expose("scores", {
      type: "JSON",
      description: "`name`, `value` and, where they are known, `label`, `explanation` and `annotator_kind`.",
    }),
    latencyMs: t.exposeInt("latencyMs", { nullable: true }),
    costUsd: t.exposeFloat("costUsd", { nullable: true }),
    traceId: t.exposeString("traceId", { nullable: true }),
    error: t.exposeString("error", { nullable: true }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const EvalResultFilter = builder.inputType("EvalResultFilter", {
  fields: (t) => ({ status: t.field({ type: EvalResultStatusEnum }), itemKey: t.string() }),
});

/** A list of results is a statement of its own for each run that it is asked of. */
const STATEMENT_COST = 500;

builder.prismaObjectField(EvalRun, "results", (t) =>
  t.connection(
    {
      type: EvalResult,
      description: "The run's results, by the keys of their items.",
      args: { offset: t.arg.int(), filter: t.arg({ type: EvalResultFilter }) },
      complexity: (page) => ({ ...pageComplexity(page), field: STATEMENT_COST }),
      resolve: async ({ id }, { filter, ...page }, ctx) =>
        toResultConnection(await listEvalResults(ctx, page, { ...filter, runId: id })),
    },
    { name: "EvalResultConnection", description: "A part of a run's results." },
    { name: "EvalResultEdge", description: "A result and its place in the list." },
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
