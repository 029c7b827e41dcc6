import { LRUCache } from "lru-cache";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { SubscriptionFrame } from "./subscription-frame.ts";

/** A selection of frames. Equal keys get the same bytes. */
export type Rendering = { key: string; render: (frame: SubscriptionFrame) => Buffer };

/** A cache of rendered events. */
export type RenderedFrames = {
  /** Returns a rendered event, from the cache if possible. */
  getFrame: (workspaceId: string, rendering: Rendering, event: StoredEvent) => Buffer;
  /** Bytes in the cache. */
  bytes: () => number;
};

/** The most bytes for one workspace and for all together. */
const KEPT = { one: 4_194_304, all: 33_554_432 };
/** The estimated overhead of a cached frame. */
const ENTRY_BYTES = 300;

/** When full, removes the oldest frames of the least recently used workspace. */
export function createRenderedFrames(kept: { one: number; all: number } = KEPT): RenderedFrames {
  const workspaces = new Map<string, LRUCache<string, Buffer>>();
  let bytes = 0;

  /** Returns the workspace's frames, and marks it as the most recently used. */
  function getFrames(workspaceId: string): LRUCache<string, Buffer> {
    const frames =
      workspaces.get(workspaceId) ??
      new LRUCache<string, Buffer>({
        maxSize: kept.one,
        sizeCalculation: getEntrySize,
        dispose: (body) => void (bytes -= getEntrySize(body)),
      });
    workspaces.delete(workspaceId);
    workspaces.set(workspaceId, frames);
    return frames;
  }

  function evictOldest(): void {
    for (const [workspaceId, frames] of workspaces) {
      while (bytes > kept.all && frames.size > 0) frames.pop();
      if (bytes <= kept.all) return;
      workspaces.delete(workspaceId);
    }
  }

  return {
    getFrame: (workspaceId, rendering, event) => {
      const frames = getFrames(workspaceId);
      const key = `${event.epoch} ${event.seq} ${rendering.key}`;
      const known = frames.get(key);
      if (known !== undefined) return known;
      const body = rendering.render({ kind: "event", event });
      if (getEntrySize(body) > kept.one) return body;
      bytes += getEntrySize(body);
      frames.set(key, body);
      evictOldest();
      return body;
    },
    bytes: () => bytes,
  };
}

function getEntrySize({ length }: Buffer): number {
  return length + ENTRY_BYTES;
}
