import type pg from "pg";

/** Watches how far a replica is behind. */
export type LagProbe = {
  /** Whether it was fresh when it was measured last. Has it measured for some seconds. */
  isFresh: () => boolean;
  /** Takes it for stale until it is measured again. */
  distrust: () => void;
  close: () => void;
};

export type LagProbeInput = {
  primary: Pick<pg.Pool, "query">;
  replica: Pick<pg.Pool, "query">;
  maxLagMs: number;
  /** Told why the replica is stale, or null. */
  report: (problem: string | null) => void;
};

/** How often it is measured, and for how long after it was asked for. */
const EVERY_MS = 1000;
const USED_MS = 10_000;

/** The end of the primary's write-ahead log at a time, by `performance.now()`. */
type Mark = { lsn: string; at: number };

const WRITTEN = "SELECT pg_current_wal_lsn()::text AS lsn";

/** The newest of some ends that has been replayed, counted from 1. No row if the server is no replica. */
const REPLAYED = `SELECT coalesce(max(place), 0)::int AS place
  FROM unnest($1::pg_lsn[]) WITH ORDINALITY mark (lsn, place)
  WHERE lsn <= pg_last_wal_replay_lsn() HAVING pg_is_in_recovery()`;

/**
 * Measures by what the replica has replayed of what the primary had written: one that has lost its primary becomes stale
 * too. Nothing is measured while nobody asks.
 */
export function createLagProbe({ primary, replica, maxLagMs, report }: LagProbeInput): LagProbe {
  let marks: Mark[] = [];
  let [freshAt, usedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [isMeasuring, isClosed] = [false, false];
  let timer: NodeJS.Timeout | undefined;

  async function measure(): Promise<string | null> {
    const at = performance.now();
    const [written] = (await primary.query<{ lsn: string }>(WRITTEN)).rows;
    marks = [...marks.filter((mark) => at - mark.at <= maxLagMs), { lsn: written?.lsn ?? "0/0", at }];
    const lsns = marks.map(({ lsn }) => lsn);
    const [replayed] = (await replica.query<{ place: number }>(REPLAYED, [lsns])).rows;
    if (replayed === undefined) return "it is no replica";
    freshAt = marks[replayed.place - 1]?.at ?? freshAt;
    return wasFresh() ? null : `it is more than ${maxLagMs / 1000} s behind`;
  }

  function measureWhileUsed(): void {
    isMeasuring = true;
    measure().then(finish, (error: unknown) => finish(String(error)));
  }

  function finish(problem: string | null): void {
    if (isClosed) return;
    if (problem !== null) freshAt = Number.NEGATIVE_INFINITY;
    report(problem);
    isMeasuring = performance.now() - usedAt <= USED_MS;
    if (isMeasuring) timer = setTimeout(measureWhileUsed, EVERY_MS);
  }

  function wasFresh(): boolean {
    return performance.now() - freshAt <= maxLagMs;
  }

  return {
    isFresh: () => {
      usedAt = performance.now();
      if (!isMeasuring) measureWhileUsed();
      return wasFresh();
    },
    distrust: () => {
      freshAt = Number.NEGATIVE_INFINITY;
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
