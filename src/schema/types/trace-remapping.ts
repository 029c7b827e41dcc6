import { remapTraces } from "../../domain/traces/remapping/remap-traces.ts";
import { builder } from "../builder.ts";

/** Up to 500 spans are read and stored. */
const REMAP_COST = 2000;

builder.relayMutationField(
  "remapTraces",
  {
    inputFields: (t) => ({
      from: t.field({ type: "DateTime", required: true }),
      until: t.field({ type: "DateTime", required: true, description: "Exclusive." }),
      after: t.string({ description: "The `endCursor` of the request before." }),
    }),
  },
  {
    description:
      "Reads again what spans of traces that began to arrive in a time are about, from their stored attributes: their " +
      "kind, model, tokens and links, after an update that knows their sender better. What calls used is charged as " +
      "of now, and never falls. Up to 500 spans. For admins who entered the password recently.",
    complexity: REMAP_COST,
    resolve: async (_root, { input: { from, until, after } }, ctx) =>
      remapTraces(ctx, { from, until, after }),
  },
  {
    outputFields: (t) => ({
      spans: t.exposeInt("spans", { description: "How many were read." }),
      endCursor: t.exposeString("endCursor", { nullable: true, description: "Null after the last one." }),
    }),
  },
);
