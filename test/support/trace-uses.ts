import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toTraceId } from "../../src/domain/traces/trace-ids.ts";
import { TEST_SPAN_ID } from "./otlp.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** A selection of each field for traces, and the scope it requires. */
export function traceUses({
  ids,
}: PopulatedWorkspace): Record<string, { scope: Scope | null; selection: string }[]> {
  const read = (selection: string) => [{ scope: "traces:read" as const, selection }];
  const parts = `skeleton scores { name } span(spanId: "${TEST_SPAN_ID}") { content { input } }`;
  return {
    traces: read("traces { totalCount }"),
    scoreTrace: [
      {
        scope: "traces:write" as const,
        selection: `scoreTrace(input: { traceId: "${toTraceId(ids.trace)}", name: "tone", value: 1 }) { score { uuid } }`,
      },
    ],
    // It needs two scopes: they are tested in test/domain/traces/.
    addTraceToEval: [],
    // Only who gave it may do this: the scope is tested in test/domain/traces/scores/.
    deleteScore: [],
    traceExport: read("traceExport { next }"),
    trace: read(`trace(traceId: "${toTraceId(ids.trace)}") { ${parts} }`),
    spanDropRules: read("spanDropRules { scope name dropped }"),
    usage: read("usage(dimension: MODEL, period: ALL) { hasMore }"),
    // Only POST /v1/traces can send what it takes: the scope is tested in test/compat/otlp/.
    ingestTelemetry: [],
  };
}
