import type { StoredSpan } from "./stored-span.ts";

type Collected = Pick<StoredSpan, "agentId" | "conversationId" | "taskId" | "missionId" | "startedAtUs"> & {
  item: Pick<StoredSpan, "evalRunId" | "causes"> | null;
  isPlumbing: boolean;
};

/**
 * The columns of the traces of spans: ids, agents, conversations, tasks, missions, evaluation runs and their items,
 * whether they are plumbing, and when their first spans started.
 */
export function collectTraces(spans: readonly StoredSpan[]): unknown[][] {
  const traces = new Map<string, Collected>();
  for (const span of spans) {
    const known = traces.get(span.traceId);
    traces.set(span.traceId, {
      agentId: known?.agentId ?? span.agentId,
      conversationId: known?.conversationId ?? span.conversationId,
      taskId: known?.taskId ?? span.taskId,
      missionId: known?.missionId ?? span.missionId,
      // Its run and its item are named by the same span.
      item: known?.item ?? (span.evalRunId === null ? null : span),
      isPlumbing: (known?.isPlumbing ?? true) && span.op === "other" && span.status !== "error",
      startedAtUs: Math.min(known?.startedAtUs ?? Infinity, span.startedAtUs),
    });
  }
  const rows = [...traces.values()];
  return [
    [...traces.keys()],
    rows.map(({ agentId }) => agentId),
    rows.map(({ conversationId }) => conversationId),
    rows.map(({ taskId }) => taskId),
    rows.map(({ missionId }) => missionId),
    rows.map(({ item }) => item?.evalRunId ?? null),
    rows.map(({ item }) => item?.causes.evalItemKey ?? null),
    rows.map(({ isPlumbing }) => isPlumbing),
    rows.map(({ startedAtUs }) => startedAtUs),
  ];
}
