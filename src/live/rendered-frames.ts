import { LRUCache } from "lru-cache";
import type { StoredEvent } from "../domain/event-log/stored-event.ts";
import type { SubscriptionFrame } from "./subscription-frame.ts";

/** What of each frame somebody asked for: who has the same key gets the same bytes. */
export type Rendering = { key: string; render: (frame: SubscriptionFrame) => Buffer };

/** Events as they were rendered, kept for others who ask for the same soon. */
export type RenderedFrames = {
  /** Renders an event, where it is not at hand. */
  getFrame: (workspaceId: string, rendering: Rendering, event: StoredEvent) => Buffer;
  /** Bytes that are kept. */
  bytes: () => number;
};

/** Bytes that are kept for one workspace, and for all of them together. */
const KEPT = { one: 4_194_304, all: 33_554_432 };
/** What keeping a frame costs beside it. */
const ENTRY_BYTES = 300;

/** Makes an empty store. Where it is full, the workspace that was asked for least recently loses its oldest. */
export function createRenderedFrames(kept: { one: number; all: number } = KEPT): RenderedFrames {
  const workspaces = new Map<string, LRUCache<string, Buffer>>();
  let bytes = 0;

  /** The frames of a workspace, which goes behind the others. */
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
