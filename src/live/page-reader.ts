import type { LiveDatabase } from "../db/notifications.ts";
import { type EventSlice, readAfter } from "./event-reads.ts";

/** Reads a page of a workspace's events after a position. */
export type PageReader = (
  workspaceId: string,
  { after, limit }: { after: number; limit: number },
) => Promise<EventSlice | null>;

/** Concurrent reads. Limited so that live events are not delayed. */
const READERS = 3;

/** Subscribers that were disconnected together share one read of the same page. Workspaces take turns. */
export function createPageReader(database: LiveDatabase): PageReader {
  const reading = new Map<string, Promise<EventSlice | null>>();
  const queues = new Map<string, (() => void)[]>();
  let readers = 0;

  /** Takes the first read of the first workspace, and moves that workspace to the end. */
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
