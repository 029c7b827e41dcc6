import type { Transaction } from "../kernel/context.ts";
import { formatPico } from "../prices/pico-dollars.ts";
import type { SpanCall } from "./span-call.ts";
import { ADD_TO_TRACES } from "./span-usage-statements.ts";
import { type CallChange, type UsageAmounts, addAmounts, createNoAmounts, getAmounts } from "./usage-call.ts";

type Sums = { amounts: UsageAmounts; models: Set<string> };

/** Adds the differences to the sums of traces: what counts of their spans, whichever signal is charged. */
export function addToTraces(
  { ctx, runLast }: Transaction,
  changes: readonly CallChange[],
  calls: readonly SpanCall[],
): void {
  const traces = new Map<string, Sums>();
  function getSums(traceId: string): Sums {
    const sums = traces.get(traceId) ?? { amounts: createNoAmounts(), models: new Set() };
    traces.set(traceId, sums);
    return sums;
  }
  for (const { before, after } of changes) {
    const { amounts } = getSums(after.traceId);
    if (before !== null) addAmounts(amounts, getAmounts(before), -1n);
    addAmounts(amounts, getAmounts(after), 1n);
  }
  for (const { traceId, model } of calls) if (model !== null) getSums(traceId).models.add(model);
  if (traces.size === 0) return;
  const sums = [...traces.values()];
  runLast(ADD_TO_TRACES, [
    ...[ctx.workspaceId, [...traces.keys()], sums.map(({ models }) => JSON.stringify([...models]))],
    ...[sums.map(({ amounts }) => amounts.inputTokens), sums.map(({ amounts }) => amounts.cacheReadTokens)],
    ...[
      sums.map(({ amounts }) => amounts.outputTokens),
      sums.map(({ amounts }) => formatPico(amounts.costPico)),
    ],
    sums.map(({ amounts }) => amounts.unpricedCalls),
  ]);
}
