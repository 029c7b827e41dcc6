import type { StoredSpan } from "./stored-span.ts";

type Collected = Pick<StoredSpan, "agentId" | "conversationId" | "taskId" | "missionId" | "startedAtUs">;

/**
 * The columns of the traces of spans: ids, agents, conversations, tasks, missions, and when their first spans started.
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
    rows.map(({ startedAtUs }) => startedAtUs),
  ];
}
