import { findTracesWithLost } from "../../domain/traces/lost-spans.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { Trace } from "./trace.ts";

const loadLost = createBatchLoader(findTracesWithLost);

builder.prismaObjectFields(Trace, (t) => ({
  lost: t.boolean({
    description: "Whether one of its open spans is LOST.",
    resolve: async ({ id, openCount }, _args, ctx) => openCount > 0 && (await loadLost(ctx, id)) === true,
  }),
}));
