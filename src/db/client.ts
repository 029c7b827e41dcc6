import { PrismaClient } from "./generated/client.ts";
import { type Lanes, createLanes } from "./lanes.ts";
import { createPrismaAdapter } from "./prisma-adapter.ts";
import { type TransactionOutcome, runTransaction } from "./run-transaction.ts";
import type { ReadStatement, RunStatement, Statement } from "./statement.ts";
import { toQueryConfig } from "./to-query-config.ts";
import { setImmediate } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";

/** One pool of connections, spoken to through Prisma or, where every microsecond counts, by prepared statements. */
export type Database = {
  /** Not bound to any workspace: for auth, the command line and background work. */
  prisma: PrismaClient;
  read: ReadStatement;
  /** The same in a lane, where whoever asks waits no more when the signal is given. */
  readIn: (lane: string, getSignal?: () => AbortSignal | null) => ReadStatement;
  /** The same for what many in a lane ask at once. What it gives is only to be read. */
  readSharedIn: (lane: string) => ReadStatement;
  /** Runs work in a transaction of prepared statements: a fraction of what one of Prisma's costs. */
  transaction: <Result>(work: (run: RunStatement) => Promise<TransactionOutcome<Result>>) => Promise<Result>;
  /** A lane's share of the connections: what many in a workspace wait for, they alone wait for. */
  lanes: Lanes;
  /** Where connections go from now on: the same database, on another port. */
  moveTo: (url: string) => void;
  /** Waits for running statements, then closes every connection. */
  close: () => Promise<void>;
};

/** For how long a connection, or a turn to ask for one, is waited for. */
const TIMEOUT_MS = 5000;
/** How long a statement may take that stands alone, as what callers read does. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** The part of the connections that one lane has: the four of usual work in a workspace leave some to the others. */
const LANE_SHARE = 0.2;

/** Opens the database at a PostgreSQL URL. Connects when first used. */
export function openDatabase(url: string, log: Logger, poolSize = 20): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: "agent-ops",
    connectionTimeoutMillis: TIMEOUT_MS,
    // A transaction has longer: see TRANSACTION_TIMEOUT.
    statement_timeout: STATEMENT_TIMEOUT_MS,
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

/**
 * Lets those of a lane who ask the same in one turn of the event loop share one statement. It runs when the turn
 * has ended, so everybody sees whatever was committed before he asked. What they get is one array: only to
 * be read.
 */
export function shareReads(readIn: (lane: string) => ReadStatement): (lane: string) => ReadStatement {
  const asked = new Map<string, Promise<unknown[]>>();
  return (lane) =>
    async <Row extends object>(...question: Parameters<ReadStatement>) => {
      const [{ name }, values] = question;
      const key = JSON.stringify([lane, name, values]);
      const answer = asked.get(key) ?? ask(key, () => readIn(lane)(...question));
      // One name is one statement, which always gives the same columns.
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
