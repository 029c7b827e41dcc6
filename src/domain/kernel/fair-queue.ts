import { LRUCache } from "lru-cache";

/** A waiting item: its workspace and size. */
export type WaitingItem = { workspaceId: string; bytes: number };

/** The share of one thread's time that a workspace may use permanently. */
const SHARE = 0.1;

/**
 * A queue whose next turn goes to the workspace that has used the least time. Each workspace has one turn
 * at a time.
 */
export type FairQueue<Item extends WaitingItem> = {
  /** @returns false if the queue is full. */
  add: (item: Item) => boolean;
  /** Starts the next turn of a workspace for which `mayHave` is true. Null if there is none. */
  begin: (mayHave: (workspaceId: string) => boolean) => Item | null;
  /** Ends a turn and charges its time. */
  end: (item: Item, tookMs: number) => void;
  /** The time that a workspace has used beyond its share. */
  usedMs: (workspaceId: string) => number;
  /** Removes an item that no longer waits. */
  remove: (item: Item) => void;
  /** All waiting items. */
  waiting: () => Item[];
};

/** How many bytes may wait, in all and of a workspace. */
export type MostBytes = { all: number; workspace: number };

type Line<Item> = { items: Item[]; bytes: number };

export function openFairQueue<Item extends WaitingItem>(mostBytes: MostBytes): FairQueue<Item> {
  const lines = new Map<string, Line<Item>>();
  const busy = new Set<string>();
  const used = new LRUCache<string, { ms: number; atMs: number }>({ max: 10_000 });
  let waitingBytes = 0;

  function usedMs(workspaceId: string): number {
    const { ms, atMs } = used.get(workspaceId) ?? { ms: 0, atMs: 0 };
    return Math.max(0, ms - (performance.now() - atMs) * SHARE);
  }

  function add(item: Item): boolean {
    const line = lines.get(item.workspaceId) ?? { items: [], bytes: 0 };
    if (waitingBytes + item.bytes > mostBytes.all) return false;
    if (line.bytes + item.bytes > mostBytes.workspace) return false;
    line.items.push(item);
    line.bytes += item.bytes;
    waitingBytes += item.bytes;
    lines.set(item.workspaceId, line);
    return true;
  }

  function remove(item: Item): void {
    const line = lines.get(item.workspaceId);
    const at = line?.items.indexOf(item) ?? -1;
    if (line === undefined || at === -1) return;
    line.items.splice(at, 1);
    line.bytes -= item.bytes;
    waitingBytes -= item.bytes;
    if (line.items.length === 0) lines.delete(item.workspaceId);
  }

  function begin(mayHave: (workspaceId: string) => boolean): Item | null {
    let least: { item: Item | undefined; ms: number } = { item: undefined, ms: Infinity };
    for (const [workspaceId, { items }] of lines) {
      if (busy.has(workspaceId) || !mayHave(workspaceId)) continue;
      const ms = usedMs(workspaceId);
      if (ms < least.ms) least = { item: items[0], ms };
    }
    if (least.item === undefined) return null;
    remove(least.item);
    busy.add(least.item.workspaceId);
    return least.item;
  }

  function end({ workspaceId }: Item, tookMs: number): void {
    busy.delete(workspaceId);
    used.set(workspaceId, { ms: usedMs(workspaceId) + tookMs, atMs: performance.now() });
  }

  function waiting(): Item[] {
    return [...lines.values()].flatMap(({ items }) => items);
  }

  return { add, begin, end, usedMs, remove, waiting };
}
