import type { Revocation } from "./revocation.ts";

/** What a node tells other nodes, and hears from them. */
export type LiveChannel = {
  /** Told of each commit here that wrote events or revoked something. Takes effect here at once; never throws. */
  committed: (workspaceId: string, revoked: readonly Revocation[]) => void;
  /** Waits until the workspace may have events after this one, at most so many milliseconds. */
  waitForEvents: (workspaceId: string, after: number, timeoutMs: number) => Promise<void>;
  /** PostgreSQL's time, as this node last saw it. */
  now: () => Date;
};
