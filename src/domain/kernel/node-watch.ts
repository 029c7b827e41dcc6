import { setTimeout as pause } from "node:timers/promises";
import type { Services } from "./services.ts";
import type { LiveChannel } from "./live-channel.ts";

/** What followers follow: rows that all nodes write. */
export type Watched<Row> = {
  everyMs: number;
  /** Reads for all followers of this node. @returns rows that may have changed, with their key. */
  read: (services: Services, keys: readonly string[]) => Promise<(readonly [key: string, row: Row])[]>;
  /** The log message of a failure. */
  failure: string;
};

/** Calls `follower` with rows of its key, possibly again with unchanged ones. @returns a function that stops it. */
export type NodeWatch<Row> = (services: Services, key: string, follower: (row: Row) => void) => () => void;

/** The followers on this node by key, and the running work for them, which never rejects. */
type Watch<Row> = { followers: Map<string, Set<(row: Row) => void>>; following: Promise<void> | null };

/** Creates a watch that reads with one statement for all followers of a node, while there are any. */
export function createNodeWatch<Row>({ everyMs, read, failure }: Watched<Row>): NodeWatch<Row> {
  // Keyed by the live channel, because tests run several nodes in one process.
  const nodes = new WeakMap<LiveChannel, Watch<Row>>();

  function start(services: Services): Watch<Row> {
    const watch: Watch<Row> = { followers: new Map(), following: null };
    nodes.set(services.live, watch);
    watch.following = follow(services, watch);
    return watch;
  }

  async function follow(services: Services, watch: Watch<Row>): Promise<void> {
    do {
      await pause(everyMs);
      try {
        await look(services, watch);
      } catch (error) {
        services.log.debug({ err: error }, failure);
      }
    } while (watch.followers.size > 0);
    nodes.delete(services.live);
  }

  async function look(services: Services, { followers }: Watch<Row>): Promise<void> {
    const keys = [...followers.keys()];
    if (keys.length === 0) return;
    for (const [key, row] of await read(services, keys)) {
      for (const tell of followers.get(key) ?? []) tell(row);
    }
  }

  return (services, key, follower) => {
    const { followers } = nodes.get(services.live) ?? start(services);
    const own = followers.get(key) ?? new Set();
    followers.set(key, own.add(follower));
    return () => {
      own.delete(follower);
      if (own.size === 0) followers.delete(key);
    };
  };
}
