import type { StoredSpan } from "./stored-span.ts";

/** The columns of the traces of spans: ids, agents, conversations, and when their first spans started. */
export function collectTraces(
  spans: readonly StoredSpan[],
): [ids: string[], agents: string[], conversations: (string | null)[], startsUs: number[]] {
  const traces = new Map<string, { agentId: string; conversationId: string | null; startedAtUs: number }>();
  for (const { traceId, agentId, conversationId, startedAtUs } of spans) {
    const known = traces.get(traceId);
    traces.set(traceId, {
      agentId: known?.agentId ?? agentId,
      conversationId: known?.conversationId ?? conversationId,
      startedAtUs: Math.min(known?.startedAtUs ?? Infinity, startedAtUs),
    });
  }
  const rows = [...traces.values()];
  return [
    [...traces.keys()],
    rows.map(({ agentId }) => agentId),
    rows.map(({ conversationId }) => conversationId),
    rows.map(({ startedAtUs }) => startedAtUs),
  ];
}
