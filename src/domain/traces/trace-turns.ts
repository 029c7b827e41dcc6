/** Traces that began, ended or failed on this node, and of which no event says so yet. */
export type TraceTurns = {
  note: (workspaceId: string, traceIds: readonly string[]) => void;
  /** The workspaces that have some. */
  workspaces: () => string[];
  /** Takes all of a workspace; one more than can be named stands for any number. */
  take: (workspaceId: string) => string[];
};

/** The most that are named in a second; beyond them, one event says that there were many. */
export const MOST_NAMED = 200;

export function createTraceTurns(): TraceTurns {
  const waiting = new Map<string, Set<string>>();
  return {
    note: (workspaceId, traceIds) => {
      if (traceIds.length === 0) return;
      const own = waiting.get(workspaceId) ?? new Set();
      waiting.set(workspaceId, own);
      for (const id of traceIds) if (own.size <= MOST_NAMED) own.add(id);
    },
    workspaces: () => [...waiting.keys()],
    take: (workspaceId) => {
      const own = waiting.get(workspaceId) ?? new Set();
      waiting.delete(workspaceId);
      return [...own];
    },
  };
}
