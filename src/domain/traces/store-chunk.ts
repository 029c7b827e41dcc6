import type { Transaction } from "../kernel/context.ts";
import { parsePico } from "../prices/pico-dollars.ts";
import type { SpanCall } from "../usage/span-call.ts";
import { correctCosts, toTokenCounts } from "./correct-costs.ts";
import { toSpanKey } from "./merge-copies.ts";
import { STORE_CONTENT, toContentColumns } from "./content-statements.ts";
import { RECOUNT_TRACES } from "./recount-statement.ts";
import type { Generations } from "./span-columns.ts";
import { STORE_SPANS, type StoredUsage, toSpanColumns } from "./span-statements.ts";
import type { StoredSpan } from "./stored-span.ts";

/** Spans of traces of one day. */
export type Chunk = {
  spans: readonly StoredSpan[];
  day: string;
  senderId: string | null;
  generations: Generations;
};

export type StoredChunk = {
  /** How many spans are new. */
  added: number;
  /** The keys of those that another agent's credential has sent, and of those that are the service's own. */
  foreign: string[];
  own: string[];
  /** The ids of traces that began, ended or failed, or whose root came. */
  turned: string[];
  /** Those that are new, or say of their usage or parent something else than before. */
  changed: readonly StoredSpan[];
  calls: SpanCall[];
};

/** Stores spans with their content, and adds the differences to the counts of their traces, which are locked. */
export async function storeChunk(tx: Transaction, chunk: Chunk): Promise<StoredChunk> {
  const { spans, day, senderId, generations } = chunk;
  const { workspaceId } = tx.ctx;
  const columns = toSpanColumns(spans, generations);
  const [result] = await tx.run(STORE_SPANS, [workspaceId, day, senderId, ...columns]);
  if (result === undefined) throw new Error("spans were stored without a result");
  const same = new Set(result.same);
  const others = new Set([...result.foreign, ...result.own]);
  const put = leaveOut(spans, others);
  const content = put.filter(({ input, output }) => input !== null || output !== null);
  if (content.length > 0) await tx.run(STORE_CONTENT, [workspaceId, day, ...toContentColumns(content)]);
  const used = await correctCosts(tx, day, result.used);
  if (result.corrected.length > 0) await tx.run(RECOUNT_TRACES, [workspaceId, day, result.corrected]);
  const sent = new Map(used.length === 0 ? [] : put.map((span) => [toSpanKey(span), span]));
  return {
    added: result.added,
    foreign: result.foreign,
    own: result.own,
    turned: result.turned,
    changed: leaveOut(put, same),
    calls: used.map((one) => toSpanCall(one, sent.get(toSpanKey(one)))),
  };
}

/** Leaves out spans with these keys. */
function leaveOut(spans: readonly StoredSpan[], keys: ReadonlySet<string>): readonly StoredSpan[] {
  return keys.size === 0 ? spans : spans.filter((span) => !keys.has(toSpanKey(span)));
}

/** Takes from a sent span what is not stored with it. */
function toSpanCall(used: StoredUsage, sent: StoredSpan | undefined): SpanCall {
  const { costUsd } = used;
  const { input, cacheRead, cacheWrite, output } = toTokenCounts(used.tokens);
  return {
    traceId: used.traceId,
    callKey: used.spanId,
    parentKey: used.parentSpanId,
    op: used.op,
    role: used.role,
    agentId: used.agentId,
    model: used.model,
    inputTokens: input,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    outputTokens: output,
    costPico: costUsd === null ? null : parsePico(costUsd),
    costSource: used.costSource ?? "none",
    taskId: sent?.taskId ?? null,
    reservationId: sent?.causes.reservationId ?? null,
  };
}
