import { PrismaClient } from "./generated/client.ts";
import { type Lanes, createLanes } from "./lanes.ts";
import { createPrismaAdapter } from "./prisma-adapter.ts";
import { type TransactionOutcome, runTransaction } from "./run-transaction.ts";
import type { ReadStatement, RunStatement, Statement } from "./statement.ts";
import { toQueryConfig } from "./to-query-config.ts";
import { setImmediate } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";

/** A connection pool, used through Prisma or, where speed matters, by prepared statements. */
export type Database = {
  /** Not bound to a workspace: for auth, the command line and background jobs. */
  prisma: PrismaClient;
  read: ReadStatement;
  /** Runs statements in a lane. An aborted signal ends the wait for a turn. */
  readIn: (lane: string, getSignal?: () => AbortSignal | null) => ReadStatement;
  /** Like `readIn`, with one statement for identical concurrent reads. The result is read-only. */
  readSharedIn: (lane: string) => ReadStatement;
  /** Runs a transaction of prepared statements, which is much faster than Prisma's. */
  transaction: <Result>(work: (run: RunStatement) => Promise<TransactionOutcome<Result>>) => Promise<Result>;
  /** Limits the connections of a lane, so that a busy workspace delays only itself. */
  lanes: Lanes;
  /** Changes the port of new connections, for the same database. */
  moveTo: (url: string) => void;
  /** Waits for running statements, then closes every connection. */
  close: () => Promise<void>;
};

/** How long to wait for a connection or for a turn. */
const TIMEOUT_MS = 5000;
/** The time limit of a single statement, such as a caller's read. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** The share of the connections for one lane. The four usual lanes of a workspace leave some for others. */
const LANE_SHARE = 0.2;

/** Opens the database at a PostgreSQL URL. Connects at first use. */
export function openDatabase(url: string, log: Logger, poolSize = 20): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: "agent-ops",
    connectionTimeoutMillis: TIMEOUT_MS,
    // Transactions have a longer limit: see TRANSACTION_TIMEOUT.
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: 10_000,
    // A process that was suspended in a transaction loses its locks after this time.
    idle_in_transaction_session_timeout: 3000,
    // Sends statements without waiting for the results of those before them.
    pipeline: true,
  });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  const prisma = new PrismaClient({
    // Longer formats contain the call's arguments, which may be secrets.
    errorFormat: "minimal",
    adapter: createPrismaAdapter(pool, { statementNameGenerator: nameStatements() }),
  });
  async function read<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return (await pool.query<Row>(toQueryConfig(statement, values))).rows;
  }
  const lanes = createLanes({ width: Math.ceil(poolSize * LANE_SHARE), timeoutMs: TIMEOUT_MS });
  function readIn(lane: string, getSignal?: () => AbortSignal | null): ReadStatement {
    return (statement, values) => lanes(lane, () => read(statement, values), getSignal?.());
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

/**
 * Names prepared statements. Prisma's statements are few and repeated, except that lists give a new text
 * for each length.
 */
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

/**
 * Shares one statement between identical reads of a lane in one turn of the event loop. The statement runs
 * after that turn, so every caller sees what was committed before its call. Callers get the same array,
 * which is read-only.
 */
export function shareReads(readIn: (lane: string) => ReadStatement): (lane: string) => ReadStatement {
  const asked = new Map<string, Promise<unknown[]>>();
  return (lane) =>
    async <Row extends object>(...question: Parameters<ReadStatement>) => {
      const [{ name }, values] = question;
      const key = JSON.stringify([lane, name, values]);
      const answer = asked.get(key) ?? ask(key, () => readIn(lane)(...question));
      // A statement's name determines its columns.
      return (await answer) as Row[];
    };

  function ask(key: string, read: () => Promise<unknown[]>): Promise<unknown[]> {
    const answer = setImmediate().then(() => {
      asked.delete(key);
      return read();
    });
    asked.set(key, answer);
    return answer;
  }
}
