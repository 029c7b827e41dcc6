import { LRUCache } from "lru-cache";

/** CPU time for reading the documents of one workspace on this node: a burst, then per second. */
const LIMITS = { burstMs: 2000, msPerSecond: 200 } as const;
/** The number of workspaces to remember. A forgotten one starts with a full burst. */
const WORKSPACES = 10_000;

/** Counts the time that parsing and validating documents takes, which can't be told from their size. */
export type ReadingTime = {
  /** Whether the workspace must wait before more of its documents are read. */
  isUsedUp: (workspaceId: string) => boolean;
  /** Runs a function and charges its CPU time to the workspace. */
  spend: <Result>(workspaceId: string, read: () => Result) => Result;
};

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
