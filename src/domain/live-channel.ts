import type { Actor } from "./actor.ts";
import type { StoredEvent } from "./event-log/stored-event.ts";
import type { Revocation } from "./revocation.ts";

/** A request that is answered when something happens. */
export type Wait = {
  /** Given, with why as its reason, when what the caller came with is revoked. */
  revoked: AbortSignal;
  /** How many of the same credential wait on this node. */
  count: number;
  leave: () => void;
};

/** What a node tells other nodes, and hears from them. */
export type LiveChannel = {
  /** Told of each commit here that wrote events or revoked something. Takes effect here at once; never throws. */
  committed: (workspaceId: string, revoked: readonly Revocation[]) => void;
  /** Waits until the workspace may have events after this one, at most so many milliseconds. */
  waitForEvents: (workspaceId: string, after: number, timeoutMs: number) => Promise<void>;
  /** What this node holds of the workspace's events after this one; null where it does not hold them all. */
  eventsHeld: (workspaceId: string, after: number) => readonly StoredEvent[] | null;
  /** Enters a caller who waits, until he leaves. */
  enterWait: (caller: { actor: Actor; workspaceId: string }) => Wait;
  /** PostgreSQL's time, as this node last saw it. */
  now: () => Date;
};
