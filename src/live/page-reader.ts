import type { LiveDatabase } from "../db/notifications.ts";
import { type EventSlice, readAfter } from "./event-reads.ts";

/** Reads so many of a workspace's events after one. */
export type PageReader = (
  workspaceId: string,
  { after, limit }: { after: number; limit: number },
) => Promise<EventSlice | null>;

/** Pages that are read at once: the others wait, so that live events do not. */
const READERS = 3;

/**
 * Makes a reader of pages. Those who were cut off together ask for the same pages, and get them from one read.
 * Workspaces take turns.
 */
export function createPageReader(database: LiveDatabase): PageReader {
  const reading = new Map<string, Promise<EventSlice | null>>();
  const queues = new Map<string, (() => void)[]>();
  let readers = 0;

  /** Whose turn it is: the first of the first workspace, which goes behind the others. */
  function next(): (() => void) | undefined {
    const [first] = queues;
    if (first === undefined) return undefined;
    const [workspaceId, queue] = first;
    const turn = queue.shift();
    queues.delete(workspaceId);
    if (queue.length > 0) queues.set(workspaceId, queue);
    return turn;
  }

  async function waitForTurn(workspaceId: string): Promise<void> {
    if (readers < READERS) {
      readers++;
      return;
    }
    const queue = queues.get(workspaceId) ?? [];
    queues.set(workspaceId, queue);
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  async function read(
    workspaceId: string,
    page: { after: number; limit: number },
  ): Promise<EventSlice | null> {
    await waitForTurn(workspaceId);
    try {
      return await readAfter(database, workspaceId, page);
    } finally {
      const turn = next();
      if (turn === undefined) readers--;
      else turn();
    }
  }

  return (workspaceId, page) => {
    const key = `${workspaceId} ${page.after} ${page.limit}`;
    const slice = reading.get(key) ?? read(workspaceId, page).finally(() => reading.delete(key));
    reading.set(key, slice);
    return slice;
  };
}
