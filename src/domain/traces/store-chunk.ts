import type { Transaction } from "../kernel/context.ts";
import { parsePico } from "../prices/pico-dollars.ts";
import type { SpanCall } from "../usage/span-call.ts";
import { correctCosts, toTokenCounts } from "./correct-costs.ts";
import { toSpanKey } from "./merge-copies.ts";
import { STORE_CONTENT, toContentColumns } from "./content-statements.ts";
import { RECOUNT_TRACES, STORE_SPANS, type StoredUsage, toSpanColumns } from "./span-statements.ts";
import type { StoredSpan } from "./stored-span.ts";

/** Spans of traces of one day. */
export type Chunk = { spans: readonly StoredSpan[]; day: string; senderId: string };

export type StoredChunk = {
  /** How many spans are new. */
  added: number;
  /** Those that another agent's credential has sent. */
  foreign: StoredSpan[];
  /** Those that are new, or say of their usage or parent something else than before. */
  changed: StoredSpan[];
  calls: SpanCall[];
};

/** Stores spans with their content, and adds the differences to the counts of their traces, which are locked. */
export async function storeChunk(tx: Transaction, { spans, day, senderId }: Chunk): Promise<StoredChunk> {
  const { workspaceId } = tx.ctx;
  const [result] = await tx.run(STORE_SPANS, [workspaceId, day, senderId, ...toSpanColumns(spans)]);
  if (result === undefined) throw new Error("spans were stored without a result");
  const [others, same] = [new Set(result.foreign), new Set(result.same)];
  const own = spans.filter((span) => !others.has(toSpanKey(span)));
  const content = own.filter(({ input, output }) => input !== null || output !== null);
  if (content.length > 0) await tx.run(STORE_CONTENT, [workspaceId, day, ...toContentColumns(content)]);
  const used = await correctCosts(tx, day, result.used);
  if (result.corrected.length > 0) await tx.run(RECOUNT_TRACES, [workspaceId, day, result.corrected]);
  const sent = new Map(used.length === 0 ? [] : own.map((span) => [toSpanKey(span), span]));
  return {
    added: result.added,
    foreign: spans.filter((span) => others.has(toSpanKey(span))),
    changed: own.filter((span) => !same.has(toSpanKey(span))),
    calls: used.map((one) => toSpanCall(one, sent.get(toSpanKey(one)))),
  };
}

/** Takes from a sent span what is not stored with it. */
function toSpanCall(used: StoredUsage, sent: StoredSpan | undefined): SpanCall {
  const { traceId, spanId, parentSpanId, op, role, agentId, model, costUsd, costSource } = used;
  const { input, cacheRead, cacheWrite, output } = toTokenCounts(used.tokens);
  return {
    ...{ traceId, callKey: spanId, parentKey: parentSpanId, op, role, agentId, model },
    ...{ inputTokens: input, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite, outputTokens: output },
    ...{ costPico: costUsd === null ? null : parsePico(costUsd), costSource: costSource ?? "none" },
    ...{ taskId: sent?.taskId ?? null, reservationId: sent?.causes.reservationId ?? null },
  };
}
