import { LRUCache } from "lru-cache";

/** CPU time that reading the documents of one workspace may take on this node: at once, and then a second. */
const LIMITS = { burstMs: 2000, msPerSecond: 200 } as const;
/** Workspaces that are remembered: one that is forgotten may begin anew. */
const WORKSPACES = 10_000;

/** Keeps count of the time that callers' documents take to be parsed and validated, which no size tells beforehand. */
export type ReadingTime = {
  /** Whether the workspace has to wait before more is read of it. */
  isUsedUp: (workspaceId: string) => boolean;
  /** Runs what reads, and counts the CPU time that it takes. */
  spend: <Result>(workspaceId: string, read: () => Result) => Result;
};

/** Starts a count. */
export function createReadingTime(): ReadingTime {
  const balances = new LRUCache<string, { ms: number; at: number }>({ max: WORKSPACES });

  function getTimeLeft(workspaceId: string, now: number): number {
    const { ms, at } = balances.get(workspaceId) ?? { ms: LIMITS.burstMs, at: now };
    return Math.min(LIMITS.burstMs, ms + ((now - at) / 1000) * LIMITS.msPerSecond);
  }

  return {
    isUsedUp: (workspaceId) => getTimeLeft(workspaceId, performance.now()) <= 0,
    spend: (workspaceId, read) => {
      const before = process.cpuUsage();
      try {
        return read();
      } finally {
        const { user, system } = process.cpuUsage(before);
        const now = performance.now();
        balances.set(workspaceId, { ms: getTimeLeft(workspaceId, now) - (user + system) / 1000, at: now });
      }
    },
  };
}
