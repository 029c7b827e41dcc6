import pg from "pg";
import type { Logger } from "pino";
import { PrismaClient } from "./generated/client.ts";
import { type Lanes, createLanes } from "./lanes.ts";
import { createPrismaAdapter } from "./prisma-adapter.ts";
import { queryOf } from "./query-of.ts";
import { type Worked, runTransaction } from "./run-transaction.ts";
import { shareReads } from "./share-reads.ts";
import type { Read, Run, Statement } from "./statement.ts";

/** One pool of connections, spoken to through Prisma or, where every microsecond counts, by prepared statements. */
export type Database = {
  /** Not bound to any workspace: for auth, the command line and background work. */
  prisma: PrismaClient;
  read: Read;
  /** The same in a lane. */
  readIn: (lane: string) => Read;
  /** The same for what many in a lane ask at once. What it gives is only to be read. */
  readSharedIn: (lane: string) => Read;
  /** Runs work in a transaction of prepared statements: a fraction of what one of Prisma's costs. */
  transaction: <Result>(work: (run: Run) => Promise<Worked<Result>>) => Promise<Result>;
  /** A lane's share of the connections: what many in a workspace wait for, they alone wait for. */
  lanes: Lanes;
  /** Where connections go from now on: the same database, on another port. */
  moveTo: (url: string) => void;
  /** Waits for running statements, then closes every connection. */
  close: () => Promise<void>;
};

/** For how long a connection, or a turn to ask for one, is waited for. */
const PATIENCE_MS = 5000;
/** The part of the connections that one lane has: the four of usual work in a workspace leave some to the others. */
const LANE_SHARE = 0.2;

/** Opens the database at a PostgreSQL URL. Connects when first used. */
export function openDatabase(url: string, log: Logger, poolSize = 20): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: "agent-ops",
    connectionTimeoutMillis: PATIENCE_MS,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    // A process that stands still in a transaction, as one that is swapped out, holds its locks no longer.
    idle_in_transaction_session_timeout: 3000,
    // What is asked for at once is sent at once; what waits for its answer before it goes on is as ever.
    pipeline: true,
  });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  const prisma = new PrismaClient({
    // Longer formats print the arguments of the call, which may be secrets.
    errorFormat: "minimal",
    adapter: createPrismaAdapter(pool, { statementNameGenerator: nameStatements() }),
  });
  async function read<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return (await pool.query<Row>(queryOf(statement, values))).rows;
  }
  const lanes = createLanes({ width: Math.ceil(poolSize * LANE_SHARE), patienceMs: PATIENCE_MS });
  function readIn(lane: string): Read {
    return (statement, values) => lanes(lane, () => read(statement, values));
  }
  return {
    prisma,
    read,
    readIn,
    readSharedIn: shareReads(readIn),
    transaction: (work) => runTransaction(pool, work),
    lanes,
    moveTo: (moved) => {
      pool.options.connectionString = moved;
    },
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/** Prisma's own statements are few and repeat, but a list in one makes a new text for each length. */
function nameStatements(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= 500) return "";
    const name = `prisma_${names.size}`;
    names.set(sql, name);
    return name;
  };
}
