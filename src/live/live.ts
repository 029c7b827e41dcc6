import type { Logger } from "pino";
import { type LiveDatabase, openLiveDatabase } from "../db/notifications.ts";
import type { LiveChannel } from "../domain/kernel/live-channel.ts";
import type { Revocation } from "../domain/kernel/revocation.ts";
import { type Clients, createClients } from "./clients.ts";
import { CLOSINGS } from "./closings.ts";
import { type LiveConnection, type Connections, createConnections } from "./connections.ts";
import { sweepCredentials } from "./credential-sweep.ts";
import { type Feeds, createFeeds } from "./feeds.ts";
import { type NodeNotifications, createNodeNotifications } from "./node-notifications.ts";
import { type LiveMetrics, createLiveMetrics } from "./metrics.ts";
import { createNodes } from "./nodes.ts";
import { createSeenRecorder, noteConnected } from "./seen-recorder.ts";
import { createRecentRevocations } from "./recent-revocations.ts";
import { type RevocationFollower, type RevocationLog, followRevocations } from "./revocations.ts";
import { createWaits } from "./waits.ts";

/** The live channel of a process: notifies other nodes of commits and, on a server, follows theirs. */
export type Live = LiveChannel & {
  connections: Connections;
  clients: Clients;
  metrics: LiveMetrics;
  /**
   * Follows events and revocations, on a server but not on the command line. Resolves when no revocation
   * from now on can be missed.
   */
  start: () => Promise<Feeds>;
  /** Calls a function, on a server, with the workspaces where events were committed, here or on other nodes. */
  onCommit: CommitListeners["add"];
  /** Ends all waits for events, including future ones. */
  endWaits: () => void;
  /** Records soon that these agents are connected. */
  noteSeen: (connections: Iterable<LiveConnection>) => void;
  moveTo: (url: string) => void;
  /** Sends outstanding notifications, and stops everything. */
  close: () => Promise<void>;
};

/** Remembered credentials, to be forgotten on revocation. */
export type CredentialMemory = {
  forget: (revocations: readonly Revocation[]) => void;
  /** Sets whether anything may be remembered. False forgets everything. */
  trust: (isTrusted: boolean) => void;
};

const TICK_MS = 1000;
const SWEEP_TICKS = 15;
const SEEN_TICKS = 20;

/**
 * Creates the live channel over PostgreSQL. Commits of this node reach local subscribers directly and other
 * nodes by notification. Lost notifications are made up for by polling.
 *
 * @param now the time for expiry checks. Only in tests.
 */
export function createLive(
  url: string,
  { memory, log, now }: { memory: CredentialMemory; log: Logger; now: Date | null },
): Live {
  const parts = openParts(url, { log, now });
  const { database, metrics, notifications, connections, clients, nodes, recent, seen, commits } = parts;
  const applyRevocations = createRevocationApplier({ recent, memory, connections });
  let node: Node | null = null;

  /** PostgreSQL's time as this node last read it, for expiry checks. */
  function clock(): Date {
    return now ?? new Date(Date.now() + (node?.revocations.offsetMs() ?? 0));
  }

  function isTrusted(): boolean {
    return node?.revocations.isTrusted() ?? true;
  }

  return {
    ...{ connections, clients, metrics },
    notifyCommit: (workspaceId, revocations) => {
      if (revocations.length > 0) applyRevocations(revocations);
      commits.tell([workspaceId]);
      notifications.send(workspaceId, revocations.length > 0);
    },
    waitForAcknowledgement: nodes.waitForAcknowledgement,
    findCredentialError: (caller) => recent.findCredentialError(caller, isTrusted()),
    enterWait: createWaits(connections),
    waitForEvents: async (workspaceId, after, end) => node?.feeds.wait(workspaceId, after, end),
    getHeldEvents: (workspaceId, after) => node?.feeds.getHeldEvents(workspaceId, after) ?? null,
    now: clock,
    start: async () => {
      const follower = createFollower({ memory, connections, metrics }, applyRevocations);
      const revocations = followRevocations({ database, nodes, clients }, follower, log);
      node = startNode({ ...parts, revocations, clock, now, log });
      metrics.trusted.set(1);
      await revocations.ready;
      return node.feeds;
    },
    isTrusted,
    onCommit: commits.add,
    endWaits: () => node?.feeds.endWaits(),
    noteSeen: seen.note,
    moveTo: database.moveTo,
    close: async () => {
      for (const stop of node?.stop ?? []) await stop();
      await Promise.all([notifications.flush(), seen.flush()]);
      await database.close();
    },
  };
}

function openParts(url: string, { log, now }: { log: Logger; now: Date | null }) {
  const database = openLiveDatabase(url, log);
  const metrics = createLiveMetrics();
  return {
    database,
    metrics,
    notifications: createNodeNotifications(database, { log, metrics }),
    connections: createConnections(),
    clients: createClients(),
    nodes: createNodes(database, { log, metrics }),
    recent: createRecentRevocations(),
    seen: createSeenRecorder(database, { log, now }),
    commits: createCommitListeners(),
  };
}

type TellCommit = (workspaceIds: readonly string[] | "all") => void;
type CommitListeners = { add: (listener: TellCommit) => void; tell: TellCommit };

function createCommitListeners(): CommitListeners {
  const listeners: TellCommit[] = [];
  return {
    add: (listener) => void listeners.push(listener),
    tell: (workspaceIds) => {
      for (const listener of listeners) listener(workspaceIds);
    },
  };
}

/** Makes revocations take effect on this node. */
function createRevocationApplier({
  recent,
  memory,
  connections,
}: Pick<ReturnType<typeof openParts>, "recent" | "connections"> & { memory: CredentialMemory }) {
  return (revocations: readonly Revocation[]): void => {
    recent.note(revocations);
    memory.forget(revocations);
    connections.revoke(revocations);
  };
}

/** Applies revocations, and the loss of their log, to this node. */
function createFollower(
  { memory, connections, metrics }: { memory: CredentialMemory } & Pick<NodeParts, "connections" | "metrics">,
  applyRevocations: (revocations: readonly Revocation[]) => void,
): RevocationFollower {
  return {
    onRevoked: (revocations) => {
      metrics.revocations.inc(revocations.length);
      for (const { ageSeconds } of revocations) metrics.revocationLag.observe(Math.max(0, ageSeconds));
      applyRevocations(revocations);
    },
    onTrustChange: (isTrusted) => {
      metrics.trusted.set(isTrusted ? 1 : 0);
      memory.trust(isTrusted);
      connections.trust(isTrusted);
    },
  };
}

type Node = { feeds: Feeds; revocations: RevocationLog; stop: (() => Promise<void>)[] };

type NodeParts = {
  database: LiveDatabase;
  connections: Connections;
  metrics: LiveMetrics;
  notifications: NodeNotifications;
  revocations: RevocationLog;
  commits: CommitListeners;
  clock: () => Date;
  now: Date | null;
  log: Logger;
};

/** Follows the notifications of other nodes. */
function startNode({ notifications, revocations, commits, ...parts }: NodeParts): Node {
  const feeds = createFeeds(parts.database, parts);
  commits.add(feeds.wake);
  const listener = notifications.listen((notification) => {
    commits.tell(notification.workspaceIds);
    if (notification.revoked) revocations.wake();
  });
  const backgroundJobs = startBackgroundJobs({ ...parts, feeds, readRevocations: revocations.readNow });
  return { feeds, revocations, stop: [listener.stop, revocations.stop, feeds.stop, backgroundJobs.stop] };
}

type BackgroundJobParts = Omit<NodeParts, "notifications" | "revocations" | "metrics" | "commits"> & {
  feeds: Feeds;
  readRevocations: () => Promise<void>;
};

/** Runs the background jobs at their intervals, one after the other. */
function startBackgroundJobs(parts: BackgroundJobParts): {
  stop: () => Promise<void>;
} {
  const { database, connections, feeds, readRevocations, clock, now, log } = parts;
  let tick = 0;
  let working: Promise<void> = Promise.resolve();
  let busy = false;

  async function work(): Promise<void> {
    if (tick % SEEN_TICKS === 0)
      await ignoreErrors(log, () => noteConnected({ database, now }, connections.all()));
    if (tick % SWEEP_TICKS === 0) {
      await ignoreErrors(log, () => sweepCredentials({ database, readRevocations, now }, connections.all()));
    }
    busy = false;
  }

  const timer = setInterval(() => {
    tick++;
    feeds.tick(clock());
    const nowMs = performance.now();
    for (const connection of connections.all()) {
      if (connection.endsAtMs <= nowMs) connection.kill(CLOSINGS.expired);
    }
    if (busy) return;
    busy = true;
    working = work();
  }, TICK_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await working;
    },
  };
}

async function ignoreErrors(log: Logger, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.debug({ err: error }, "a background job of the live channel failed and will be retried");
  }
}
