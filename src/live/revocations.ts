import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { Nodes } from "./nodes.ts";
import { type LoggedRevocation, type RevocationPosition, readRevocations } from "./revocation-reads.ts";

/** Follows what is revoked anywhere, in its order. */
export type RevocationLog = {
  /** Resolved when nothing that is revoked from now on is missed, or nobody is trusted. */
  ready: Promise<void>;
  /** Looks now. */
  wake: () => void;
  /**
   * Whether this node knows of everything that was revoked until a few seconds ago. It is reckoned whenever it is
   * asked: a process that stood still goes on with whatever waited, and its timers come later.
   */
  isTrusted: () => boolean;
  /** PostgreSQL's clock minus this machine's, in milliseconds, at the last look. */
  offsetMs: () => number;
  stop: () => Promise<void>;
};

/** What is done with it. */
export type RevocationFollower = {
  onRevoked: (revocations: readonly LoggedRevocation[]) => void;
  /** Told when the log can't be read for so long that nobody can be trusted, and when it can again. */
  onTrustChange: (isTrusted: boolean) => void;
};

const POLL_MS = 100;
/** For how long a look is good: by the monotonic clock, which goes on while a process is stopped, though not while its machine sleeps. */
export const TRUSTED_MS = 5000;

/**
 * Starts to follow the revocations, from this moment on. It looks whenever it is woken and ten times a second, and
 * tells the other nodes how far it came.
 *
 * Where it can't look for five seconds, nobody is trusted any more: a credential may be dead without this node
 * having heard of it.
 */
export function followRevocations(
  { database, nodes }: { database: LiveDatabase; nodes: Nodes },
  follower: RevocationFollower,
  log: Logger,
): RevocationLog {
  const trust = createTrust(follower, log);
  let position: RevocationPosition = { seq: null, offsetMs: 0 };
  let looking: Promise<void> | null = null;
  let again = false;

  function wake(): void {
    again = looking !== null;
    looking ??= look();
  }

  async function look(): Promise<void> {
    try {
      // Others wait for this node from before its first look.
      if (position.seq === null) await nodes.reportApplied(0);
      do {
        again = false;
        const askedAtMs = performance.now();
        const { revocations, hasMore, ...reached } = await readRevocations(database, position.seq);
        position = reached;
        if (revocations.length > 0) follower.onRevoked(revocations);
        again ||= hasMore;
        trust.read(askedAtMs, hasMore);
        await nodes.reportApplied(reached.seq ?? 0);
      } while (again);
    } catch (error) {
      log.debug({ err: error }, "revocations can't be read at this moment");
    } finally {
      looking = null;
    }
  }

  const poll = setInterval(() => {
    wake();
    trust.isTrusted();
  }, POLL_MS);
  wake();
  return {
    ready: trust.isKnown,
    wake,
    isTrusted: trust.isTrusted,
    offsetMs: () => position.offsetMs,
    stop: async () => {
      clearInterval(poll);
      await looking;
      await nodes.leave().catch((error: unknown) => log.debug({ err: error }, "a node could not leave"));
    },
  };
}

/** Keeps whether the log was read to its end within the last seconds. */
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
    log.warn({ isTrusted }, "whether revocations can be followed has changed");
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
    /** Resolved when the log was read once, or nobody is trusted. */
    isKnown,
    /** Told of a read that was asked for then. Its answer may have waited for this process. */
    read: (askedAtMs: number, hasMore: boolean) => {
      known?.();
      if (!hasMore) readAtMs = askedAtMs;
      if (!hasMore && isRecent()) set(true);
    },
  };
}
