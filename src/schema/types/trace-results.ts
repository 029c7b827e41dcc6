import { MOST_RESULTS, type TraceResult, readTraceResults } from "../../domain/traces/read-trace-results.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { EvalResultStatusEnum } from "./eval-result.ts";
import { Trace } from "./trace.ts";

const TraceResultType = builder.objectRef<TraceResult>("TraceResult").implement({
  description: "The result of an item of an evaluation run that a trace is of.",
  fields: (t) => ({
    evalRunUuid: t.expose("evalRunId", { type: "UUID" }),
    evalRunName: t.exposeString("evalRunName"),
    suite: t.exposeString("suite"),
    itemKey: t.exposeString("itemKey"),
    status: t.expose("status", { type: EvalResultStatusEnum }),
  }),
});

/** They are read at once, and charged by how many there may be. */
const RESULTS_COST = { field: 10, multiplier: 1 };

const loadResults = createBatchLoader<TraceResult[]>(readTraceResults);

builder.prismaObjectFields(Trace, (t) => ({
  evalRunUuid: t.expose("evalRunId", {
    type: "UUID",
    nullable: true,
    description: "The evaluation run that its spans name. May have been deleted.",
  }),
  evalItemKey: t.exposeString("evalItemKey", {
    nullable: true,
    description: "The item of that run.",
  }),
  evalResults: t.field({
    type: [TraceResultType],
    description:
      `The results that name it, or whose item it names, at most ${MOST_RESULTS}, the newest runs first. None if the ` +
      "caller may not read evaluation runs.",
    complexity: RESULTS_COST,
    resolve: async ({ id }, _args, ctx) => (await loadResults(ctx, id)) ?? [],
  }),
}));
