import type { Logger } from "pino";
import type pg from "pg";
import { getDatabaseErrorKind } from "./database-errors.ts";
import { openPool } from "./open-pool.ts";
import { type LagProbe, createLagProbe } from "./replica-lag.ts";
import type { Statement } from "./sql.ts";
import { toQueryConfig } from "./to-query-config.ts";

/** A streaming replica of the database. */
export type Replica = {
  /** Runs a statement that reads. @returns null if the primary has to be asked. */
  read: <Row extends object>(statement: Statement<Row>, values: readonly unknown[]) => Promise<Row[] | null>;
  close: () => Promise<void>;
};

export type ReplicaOptions = {
  primary: Pick<pg.Pool, "query">;
  log: Logger;
  /** How many connections it may have. */
  size: number;
  /** How old its rows may be, in milliseconds. */
  maxLagMs: number;
};

/** Opens the replica at a PostgreSQL URL. Connects at first use. It is asked only while it is fresh. */
export function openReplica(url: string, { primary, log, size, maxLagMs }: ReplicaOptions): Replica {
  const pool = openPool(url, log, { size });
  const lag = createLagProbe({ primary, replica: pool, maxLagMs, report: reportChanges(log) });
  return {
    read: async (statement, values) => (lag.isFresh() ? tryToRead({ pool, lag }, statement, values) : null),
    close: async () => {
      lag.close();
      await pool.end();
    },
  };
}

async function tryToRead<Row extends object>(
  { pool, lag }: { pool: pg.Pool; lag: LagProbe },
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[] | null> {
  try {
    return (await pool.query<Row>(toQueryConfig(statement, values))).rows;
  } catch (error) {
    const kind = getDatabaseErrorKind(error);
    // A conflict is one with what it replays.
    if (kind !== "unavailable" && kind !== "conflict") throw error;
    lag.distrust();
    return null;
  }
}

/** Logs why the replica is not used, and when it is used again. */
function reportChanges(log: Logger): (problem: string | null) => void {
  let reported: string | null = null;
  return (problem) => {
    if (problem === reported) return;
    reported = problem;
    if (problem === null) log.info("the database's replica is used again");
    else log.warn({ problem }, "the database's replica is not used");
  };
}
