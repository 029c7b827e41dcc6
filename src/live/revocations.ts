import type { Logger } from "pino";
import type { LiveDatabase } from "../db/notifications.ts";
import type { Revocation } from "../domain/revocation.ts";

/** Follows what is revoked anywhere, in its order. */
export type RevocationLog = {
  /** Looks now. */
  wake: () => void;
  /** Whether this node knows of everything that was revoked until a few seconds ago. */
  isTrusted: () => boolean;
  /** PostgreSQL's clock minus this machine's, in milliseconds, at the last look. */
  offsetMs: () => number;
  stop: () => Promise<void>;
};

/** What is done with it. */
export type RevocationFollower = {
  revoked: (revocations: readonly Revocation[]) => void;
  /** Told when the log can't be read for so long that nobody can be trusted, and when it can again. */
  trusted: (isTrusted: boolean) => void;
};

type Row = { now: string; seq: number; kind: Revocation["kind"]; subjectId: string; reason: string } & Headed;
type Headed = { head: number };

const POLL_MS = 100;
const TRUSTED_MS = 5000;
const PAGE = 1000;

/**
 * Starts to follow the revocations, from this moment on. It looks whenever it is woken and ten times a second.
 *
 * Where it can't look for five seconds, nobody is trusted any more: a credential may be dead without this node
 * having heard of it.
 */
export function followRevocations(database: LiveDatabase, follower: RevocationFollower, log: Logger): RevocationLog {
  // Until the first look everything counts as new: nothing was remembered before.
  let seq: number | null = null;
  let readAtMs = performance.now();
  let isTrusted = true;
  let offsetMs = 0;
  let looking: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const poll = setInterval(tick, POLL_MS);

  function tick(): void {
    wake();
    if (performance.now() - readAtMs > TRUSTED_MS) trust(false);
  }

  function trust(isNowTrusted: boolean): void {
    if (isTrusted === isNowTrusted) return;
    isTrusted = isNowTrusted;
    log.warn({ isTrusted }, "whether revocations can be followed has changed");
    follower.trusted(isTrusted);
  }

  function wake(): void {
    again = looking !== null;
    if (!stopped) looking ??= look();
  }

  async function look(): Promise<void> {
    try {
      do {
        again = false;
        await readOn();
      } while (again && !stopped);
    } catch (error) {
      log.debug({ err: error }, "revocations can't be read at this moment");
    } finally {
      looking = null;
    }
  }

  async function readOn(): Promise<void> {
    const askedAtMs = performance.now();
    const asked = Date.now();
    const rows = await database.read<Row>(REVOCATIONS, [seq, PAGE]);
    const [first] = rows;
    if (first === undefined) return;
    offsetMs = Number(first.now) - (asked + Date.now()) / 2;
    const found = rows.filter((row) => row.seq !== null);
    const last = found.at(-1)?.seq ?? first.head;
    // A restored database counts from an earlier number.
    seq = first.head < (seq ?? 0) ? first.head : last;
    if (found.length > 0) follower.revoked(found);
    if (found.length === PAGE) again = true;
    readAtMs = askedAtMs;
    if (!again) trust(true);
  }

  wake();
  return {
    wake,
    isTrusted: () => isTrusted,
    offsetMs: () => offsetMs,
    stop: async () => {
      stopped = true;
      clearInterval(poll);
      await looking;
    },
  };
}

const REVOCATIONS = {
  name: "live_revocations",
  text: `
SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8 AS now, h.seq::float8 AS head, r.seq, r.kind, r."subjectId", r.reason
FROM revocation_head h
LEFT JOIN LATERAL (
  SELECT seq::float8, kind::text, subject_id AS "subjectId", reason FROM revocation
  WHERE revocation.seq > COALESCE($1::bigint, h.seq) ORDER BY revocation.seq LIMIT $2::int
) r ON true
WHERE h.id = 1 ORDER BY r.seq`,
};
