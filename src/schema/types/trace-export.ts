import { type TraceExport, exportTraces } from "../../domain/traces/export/export-traces.ts";
import { builder } from "../builder.ts";

/** Up to a thousand spans are read, with all that was sent of them. */
const EXPORT_COST = 1000;

const Export = builder.objectRef<TraceExport>("TraceExport").implement({
  description: "A page of exported traces.",
  fields: (t) => ({
    lines: t.exposeStringList("lines", {
      description: "Each an ExportTraceServiceRequest in JSON, of one trace. A large trace has several.",
      complexity: 1,
    }),
    next: t.exposeString("next", { nullable: true, description: "`after` of the next page." }),
  }),
});

builder.queryFields((t) => ({
  traceExport: t.field({
    type: Export,
    description: "Exports traces for other systems, those first that began to arrive first.",
    args: {
      from: t.arg({ type: "DateTime", description: "Only traces that began to arrive then or later." }),
      until: t.arg({ type: "DateTime", description: "Only traces that began to arrive earlier." }),
      content: t.arg.boolean({ description: "With prompts, answers and arguments. Not for viewers." }),
      after: t.arg.string(),
    },
    complexity: EXPORT_COST,
    resolve: (_root, asked, ctx) => exportTraces(ctx, asked),
  }),
}));
