import type { LiveDatabase } from "../db/notifications.ts";
import { readNewest } from "./event-reads.ts";
import { type Feed, RING, createFeed } from "./feed.ts";

/** The feeds of a node. Each is opened once while it is followed. */
export type FeedStore = {
  open: ReadonlyMap<string, Feed>;
  /** Returns a workspace's feed, opening it if necessary. */
  follow: (workspaceId: string) => Promise<Feed>;
  /** Closes a feed that has had no followers for a while. */
  dropIdle: (feed: Feed) => void;
};

const IDLE_MS = 30_000;

export function createFeedStore(database: LiveDatabase): FeedStore {
  const feeds = new Map<string, Promise<Feed>>();
  const open = new Map<string, Feed>();

  async function openFeed(workspaceId: string): Promise<Feed> {
    try {
      const slice = await readNewest(database, workspaceId, RING.length);
      if (slice === null) throw new Error("the workspace of a feed does not exist");
      const feed = createFeed(workspaceId, slice);
      open.set(workspaceId, feed);
      return feed;
    } catch (error) {
      feeds.delete(workspaceId);
      throw error;
    }
  }

  return {
    open,
    follow: (workspaceId) => {
      const feed = feeds.get(workspaceId) ?? openFeed(workspaceId);
      feeds.set(workspaceId, feed);
      return feed;
    },
    dropIdle: (feed) => {
      const nowMs = performance.now();
      const isIdle = feed.members.size === 0 && feed.waiters.size === 0;
      feed.idleSinceMs = isIdle ? (feed.idleSinceMs ?? nowMs) : null;
      if (feed.idleSinceMs === null || nowMs - feed.idleSinceMs < IDLE_MS) return;
      open.delete(feed.workspaceId);
      feeds.delete(feed.workspaceId);
    },
  };
}
