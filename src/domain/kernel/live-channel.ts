import type { Actor } from "./actor.ts";
import type { DomainError } from "./errors.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import type { Revocation } from "./revocation.ts";

/** A request that is answered when something happens. */
export type Wait = {
  /** Given, with the refusal as its reason, when what the caller came with is revoked or changed. */
  revoked: AbortSignal;
  /** How many of the same credential wait on this node. */
  count: number;
  leave: () => void;
};

/** When nobody waits any more: after so many milliseconds, or before, when the signal is given. */
export type WaitEnd = { afterMs: number; signal?: AbortSignal };

/** What a node tells other nodes, and hears from them. */
export type LiveChannel = {
  /** Told of each commit here that wrote events or revoked something. Takes effect here at once; never throws. */
  notifyCommit: (workspaceId: string, revoked: readonly Revocation[]) => void;
  /** Whether this node knows of what was revoked. */
  isTrusted: () => boolean;
  /** Waits until every other node has heard of what is revoked, or for a moment. Never throws. */
  waitForAcknowledgement: () => Promise<void>;
  /**
   * Why a caller who was let in must not go on: what he came with was revoked since, or that can't be known any
   * more. Null where he may.
   */
  findCredentialError: (caller: {
    actor: Actor;
    workspaceId: string;
    identifiedAtMs: number;
  }) => DomainError | null;
  /** Waits until the workspace may have events after this one, or until the end. */
  waitForEvents: (workspaceId: string, after: number, end: WaitEnd) => Promise<void>;
  /** What this node holds of the workspace's events after this one; null where it does not hold them all. */
  getHeldEvents: (workspaceId: string, after: number) => readonly StoredEvent[] | null;
  /** Enters a caller who waits, until he leaves. */
  enterWait: (caller: { actor: Actor; workspaceId: string }) => Wait;
  /** PostgreSQL's time, as this node last saw it. */
  now: () => Date;
};
