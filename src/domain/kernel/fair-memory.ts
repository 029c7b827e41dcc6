/** Values that a node remembers for holders, such as workspaces, up to a total size. */
export type FairMemory<Value> = {
  /** Returns a value that was used now. */
  get: (holder: string, key: string) => Value | undefined;
  /** Remembers a value in place of the one before. It may be forgotten at once if it is too large. */
  set: (holder: string, key: string, kept: { value: Value; size: number }) => void;
};

type Held<Value> = { size: number; entries: Map<string, { value: Value; size: number }> };

/**
 * Creates a memory. Where it is full, the holder of the most forgets first what it has not used for the longest time:
 * so one with many values can't have those of others forgotten.
 */
export function createFairMemory<Value>(maxSize: number): FairMemory<Value> {
  // Both the holders and their entries are in the order of their last use.
  const holders = new Map<string, Held<Value>>();
  let total = 0;

  function use(holder: string): Held<Value> {
    const held = holders.get(holder) ?? { size: 0, entries: new Map() };
    holders.delete(holder);
    holders.set(holder, held);
    return held;
  }

  function forget(holder: string, held: Held<Value>, key: string): void {
    const size = held.entries.get(key)?.size ?? 0;
    held.entries.delete(key);
    held.size -= size;
    total -= size;
    if (held.entries.size === 0) holders.delete(holder);
  }

  function makeRoom(): void {
    while (total > maxSize) {
      const most = findLargest(holders);
      const [oldest] = most?.held.entries.keys() ?? [];
      if (most === null || oldest === undefined) return;
      forget(most.holder, most.held, oldest);
    }
  }

  return {
    get: (holder, key) => {
      const entry = holders.get(holder)?.entries.get(key);
      if (entry === undefined) return undefined;
      const { entries } = use(holder);
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: (holder, key, { value, size }) => {
      const before = holders.get(holder);
      if (before !== undefined) forget(holder, before, key);
      const held = use(holder);
      held.entries.set(key, { value, size });
      held.size += size;
      total += size;
      makeRoom();
    },
  };
}

/** The first of those that hold the most. */
function findLargest<Value>(
  holders: ReadonlyMap<string, Held<Value>>,
): { holder: string; held: Held<Value> } | null {
  let largest: { holder: string; held: Held<Value> } | null = null;
  for (const [holder, held] of holders) {
    if (held.size > (largest?.held.size ?? -1)) largest = { holder, held };
  }
  return largest;
}
