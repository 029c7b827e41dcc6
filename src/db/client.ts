import { PrismaClient } from "./generated/client.ts";
import { type LaneKey, type Lanes, createLanes } from "./lanes.ts";
import { createLentPrisma } from "./lent-prisma.ts";
import { type DatabaseTransaction, type TransactionOutcome, runTransaction } from "./run-transaction.ts";
import type { Run, Statement } from "./sql.ts";
import { toQueryConfig } from "./to-query-config.ts";
import { setImmediate } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import type { Logger } from "pino";

/**
 * A connection pool, used by statements and by Prisma. Not bound to a workspace; contexts are, see openCtx.
 */
export type Database = {
  /** Runs one statement, outside a transaction. */
  run: Run;
  /** Runs statements in a lane. An aborted signal ends the wait for a turn. */
  runIn: (lane: LaneKey, getSignal?: GetSignal) => Run;
  transaction: <Result>(
    work: (tx: DatabaseTransaction) => Promise<TransactionOutcome<Result>>,
  ) => Promise<Result>;
  /** Prisma outside a transaction. */
  prisma: PrismaClient;
  /** Limits the connections of a lane, so that a busy workspace delays only itself. */
  lanes: Lanes;
  /** Changes the port of new connections, for the same database. */
  moveTo: (url: string) => void;
  /** Waits for running statements, then closes every connection. */
  close: () => Promise<void>;
};

/** Returns a signal that is aborted when the caller disconnects; null if that is not known. */
type GetSignal = () => AbortSignal | null;

/** How long to wait for a connection or for a turn. */
const TIMEOUT_MS = 5000;
/** The time limit of a single statement, such as a caller's read. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** The share of the connections for one lane, and for all lanes of a workspace besides one connection for each. */
const LANE_SHARE = 0.2;
const WORKSPACE_SHARE = 0.3;
/** The share of the connections above which each lane has only one: others get one at once. */
const CROWD_SHARE = 0.7;

/** Opens the database at a PostgreSQL URL. Connects at first use. */
export function openDatabase(url: string, log: Logger, poolSize = 20): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: "agent-ops",
    connectionTimeoutMillis: TIMEOUT_MS,
    // Transactions have a longer limit: see TRANSACTION_TIMEOUT.
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // Shorter than a statement, so that a wait for a lock is reported as such.
    lock_timeout: STATEMENT_TIMEOUT_MS - 1000,
    // A process that was suspended in a transaction loses its locks after this time.
    idle_in_transaction_session_timeout: 3000,
    // Statements are short; where PostgreSQL overestimates one, compiling it would take half a second each time.
    options: "-c jit=off",
    // Sends statements without waiting for the results of those before them.
    pipeline: true,
  });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  const options = { statementNameGenerator: nameStatements() };
  const prisma = new PrismaClient({
    // Longer formats contain the call's arguments, which may be secrets.
    errorFormat: "minimal",
    adapter: new PrismaPg(pool, options),
  });
  const lent = createLentPrisma(options);
  async function run<Row extends object>(
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return (await pool.query<Row>(toQueryConfig(statement, values))).rows;
  }
  const lanes = createLanes({
    width: Math.ceil(poolSize * LANE_SHARE),
    shared: Math.ceil(poolSize * WORKSPACE_SHARE),
    most: Math.ceil(poolSize * CROWD_SHARE),
    timeoutMs: TIMEOUT_MS,
  });
  return {
    run,
    runIn: shareRuns(
      (lane, getSignal) => (statement, values) => lanes(lane, () => run(statement, values), getSignal?.()),
    ),
    transaction: (work) => runTransaction({ pool, lend: lent.lend }, work),
    prisma,
    lanes,
    moveTo: (moved) => {
      pool.options.connectionString = moved;
    },
    close: async () => {
      await Promise.all([prisma.$disconnect(), lent.close()]);
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
 * Shares one run of a shared statement between identical calls of a lane in one turn of the event loop. It runs
 * after that turn, so every caller sees what was committed before its call. Callers get the same array, which is
 * read-only. A caller that goes away does not end the run.
 */
export function shareRuns(runIn: Database["runIn"]): Database["runIn"] {
  const asked = new Map<string, Promise<unknown[]>>();
  return (lane, getSignal) => {
    const run = runIn(lane, getSignal);
    async function runShared<Row extends object>(...question: Parameters<Run>): Promise<Row[]> {
      const [{ name }, values] = question;
      const key = JSON.stringify([lane, name, values]);
      const answer = asked.get(key) ?? ask(key, () => runIn(lane)(...question));
      // A statement's name determines its columns.
      return (await answer) as Row[];
    }
    return (statement, values) =>
      statement.isShared === true ? runShared(statement, values) : run(statement, values);
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
