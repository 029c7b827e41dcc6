import type { LiveDatabase } from "../db/notifications.ts";
import { type EventSlice, readAfter } from "./event-reads.ts";

/** Reads a page of a workspace's events after one. */
export type PageReader = (workspaceId: string, after: number) => Promise<EventSlice | null>;

const PAGE = 200;
/** Pages that are read at once: the others wait, so that live events do not. */
const READERS = 3;

/** Makes a reader of pages. Those who were cut off together ask for the same pages, and get them from one read. */
export function createPageReader(database: LiveDatabase): PageReader {
  const reading = new Map<string, Promise<EventSlice | null>>();
  const queue: (() => void)[] = [];
  let readers = 0;

  async function inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    if (readers >= READERS) await new Promise<void>((resolve) => queue.push(resolve));
    else readers++;
    try {
      return await read();
    } finally {
      const next = queue.shift();
      if (next === undefined) readers--;
      else next();
    }
  }

  return (workspaceId, after) => {
    const key = `${workspaceId} ${after}`;
    const page =
      reading.get(key) ??
      inTurn(() => readAfter(database, workspaceId, { after, limit: PAGE })).finally(() =>
        reading.delete(key),
      );
    reading.set(key, page);
    return page;
  };
}
