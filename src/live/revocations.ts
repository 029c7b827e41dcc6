import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { Clients } from "./clients.ts";
import type { Nodes } from "./nodes.ts";
import { type LoggedRevocation, type RevocationPosition, readRevocations } from "./revocation-reads.ts";

/** Follows the revocations of all nodes, in order. */
export type RevocationLog = {
  /** Resolves when no revocation from now on is missed, or when the log is not trusted. */
  ready: Promise<void>;
  /** Reads the log now, without waiting for it. */
  wake: () => void;
  /** Reads the log now. Resolves when all that was logged before the call is applied, or can't be read. */
  readNow: () => Promise<void>;
  /**
   * Whether this node knows all revocations until a few seconds ago. Computed at each call: after a process
   * was suspended, waiting work runs before its timers.
   */
  isTrusted: () => boolean;
  /** PostgreSQL's clock minus this machine's, in milliseconds, at the last read. */
  offsetMs: () => number;
  stop: () => Promise<void>;
};

/** The callbacks of a revocation log. */
export type RevocationFollower = {
  onRevoked: (revocations: readonly LoggedRevocation[]) => void;
  /**
   * Called when the log could not be read for too long to trust credentials, and when it can be read again.
   */
  onTrustChange: (isTrusted: boolean) => void;
};

const POLL_MS = 100;
/** Without clients, no credential is in use on this node that could be revoked. */
const IDLE_POLL_MS = 1000;
/**
 * How long a read is current, by the monotonic clock. It continues while the process is stopped, but not
 * while the machine sleeps.
 */
export const TRUSTED_MS = 5000;

/**
 * Follows revocations from now on. Reads the log when asked to and ten times a second, or once if there are no
 * clients, and reports the position to the other nodes.
 *
 * If the log can't be read for five seconds, no credential is trusted: it may have been revoked.
 */
export function followRevocations(
  { database, nodes, clients }: { database: LiveDatabase; nodes: Nodes; clients: Clients },
  follower: RevocationFollower,
  log: Logger,
): RevocationLog {
  const trust = createTrust(follower, log);
  let position: RevocationPosition = { seq: null, offsetMs: 0 };
  let polledAtMs = performance.now();
  const { wake, readNow, getLast } = createTurns(read);

  async function read(): Promise<void> {
    try {
      // Other nodes wait for this one from before its first read.
      if (position.seq === null) await nodes.reportApplied(0);
      let isWhole = false;
      while (!isWhole) {
        const askedAtMs = performance.now();
        const { revocations, hasMore, ...reached } = await readRevocations(database, position.seq);
        position = reached;
        if (revocations.length > 0) follower.onRevoked(revocations);
        isWhole = !hasMore;
        trust.read(askedAtMs, hasMore);
        await nodes.reportApplied(reached.seq ?? 0);
      }
    } catch (error) {
      log.debug({ err: error }, "revocations can't be read at the moment");
    }
  }

  const poll = setInterval(() => {
    if (clients.arePresent() || performance.now() - polledAtMs >= IDLE_POLL_MS) {
      polledAtMs = performance.now();
      wake();
    }
    trust.isTrusted();
  }, POLL_MS);
  wake();
  return {
    ready: trust.isKnown,
    wake,
    readNow,
    isTrusted: trust.isTrusted,
    offsetMs: () => position.offsetMs,
    stop: async () => {
      clearInterval(poll);
      await getLast();
      await nodes.leave().catch((error: unknown) => log.debug({ err: error }, "the node could not leave"));
    },
  };
}

/** Runs one read after the other. What is wanted while one runs is one more, which has not begun. */
function createTurns(read: () => Promise<void>) {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function begin(): Promise<void> {
    next = null;
    last = read();
    return last;
  }

  async function readNow(): Promise<void> {
    next ??= last.then(begin);
    return next;
  }

  return {
    readNow,
    wake: (): void => {
      next ??= last.then(begin);
    },
    getLast: () => next ?? last,
  };
}

/** Tracks whether the log was read to its end in the last seconds. */
function createTrust({ onTrustChange }: RevocationFollower, log: Logger) {
  let known: (() => void) | null = null;
  const isKnown = new Promise<void>((resolve) => {
    known = resolve;
  });
  let readAtMs = performance.now();
  let isTrusted = true;

  function set(isNowTrusted: boolean): void {
    if (isTrusted === isNowTrusted) return;
    isTrusted = isNowTrusted;
    log.warn({ isTrusted }, "the trust in the revocation log has changed");
    onTrustChange(isTrusted);
    known?.();
  }

  function isRecent(): boolean {
    return performance.now() - readAtMs <= TRUSTED_MS;
  }

  return {
    isTrusted: () => {
      if (isTrusted && !isRecent()) set(false);
      return isTrusted;
    },
    /** Resolves when the log was read once, or is not trusted. */
    isKnown,
    /** Records a read that started at `askedAtMs`. Its answer may have waited for this process. */
    read: (askedAtMs: number, hasMore: boolean) => {
      known?.();
      if (!hasMore) readAtMs = askedAtMs;
      if (!hasMore && isRecent()) set(true);
    },
  };
}
