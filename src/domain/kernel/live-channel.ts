import type { Actor } from "./actor.ts";
import type { DomainError } from "./errors.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import type { Revocation } from "./revocation.ts";

/** A request that waits for an event. */
export type Wait = {
  /** Aborted, with the error as its reason, if the caller's credential is revoked or changed. */
  revoked: AbortSignal;
  /** How many requests of the credential wait on this node, held calls and others counted apart. */
  count: number;
  /** The same for all credentials, when it began. */
  countOfNode: number;
  /** The same for the workspace, now. */
  countOfWorkspace: () => number;
  leave: () => void;
};

/** When to stop waiting: at an event that concerns the caller (by default any), after the time, or when aborted. */
export type WaitEnd = {
  afterMs: number;
  signal?: AbortSignal;
  concerns?: ((event: StoredEvent) => boolean) | undefined;
};

/** The communication between nodes. */
export type LiveChannel = {
  /**
   * Called after each commit here that wrote events or revoked something. Takes effect on this node
   * immediately. Never throws.
   */
  notifyCommit: (workspaceId: string, revoked: readonly Revocation[]) => void;
  /** Whether this node knows all revocations. */
  isTrusted: () => boolean;
  /** Waits briefly until all other nodes have applied the current revocations. Never throws. */
  waitForAcknowledgement: () => Promise<void>;
  /**
   * Returns an error if an authenticated caller's credential was revoked since, or that can't be known;
   * otherwise null.
   */
  findCredentialError: (caller: {
    actor: Actor;
    workspaceId: string;
    identifiedAtMs: number;
  }) => DomainError | null;
  /** Waits until the workspace may have an event after `after` that concerns the caller, or until `end`. */
  waitForEvents: (workspaceId: string, after: number, end: WaitEnd) => Promise<void>;
  /** Returns the workspace's events after `after`; null if this node does not have all of them. */
  getHeldEvents: (workspaceId: string, after: number) => readonly StoredEvent[] | null;
  /** Registers a waiting caller, until it leaves. */
  enterWait: (caller: { actor: Actor; workspaceId: string; canHold: boolean }) => Wait;
  /** PostgreSQL's time, as this node last read it. */
  now: () => Date;
};
