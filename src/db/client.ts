import { PrismaClient } from "./generated/client.ts";
import { type LaneKey, type Lanes, createLanes } from "./lanes.ts";
import { createLentPrisma } from "./lent-prisma.ts";
import { type DatabaseTransaction, type TransactionOutcome, runTransaction } from "./run-transaction.ts";
import type { Run, Statement } from "./sql.ts";
import { TURN_TIMEOUT_MS, openPool } from "./open-pool.ts";
import { openReplica } from "./replica.ts";
import type { TraceStatement } from "./trace-statement.ts";
import { toQueryConfig } from "./to-query-config.ts";
import { setImmediate } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
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
  countConnections: () => ConnectionCounts;
  /** Changes the port of new connections, for the same database. */
  moveTo: (url: string) => void;
  /** Waits for running statements, then closes every connection. */
  close: () => Promise<void>;
};

/** A pool's connections, and what waits for one or for a turn in its lane. */
export type ConnectionCounts = {
  busy: number;
  idle: number;
  limit: number;
  waiting: { connection: number; turn: number };
};

/** Returns a signal that is aborted when the caller disconnects; null if that is not known. */
type GetSignal = () => AbortSignal | null;

/** The share of the connections for one lane, and for all lanes of a workspace besides one connection for each. */
const LANE_SHARE = 0.2;
const WORKSPACE_SHARE = 0.3;
/** The share of the connections above which each lane has only one: others get one at once. */
const CROWD_SHARE = 0.7;

const MAX_LAG_MS = 5000;

type DatabaseOptions = {
  poolSize?: number;
  /** Whether the URL is of a pooler in transaction mode. */
  isPooled?: boolean;
  replicaUrl?: string | null;
  /** How old a replica's rows may be, in milliseconds. */
  maxLagMs?: number;
  trace?: TraceStatement | undefined;
};

/** Opens the database at a PostgreSQL URL. Connects at first use. */
export function openDatabase(
  url: string,
  log: Logger,
  { poolSize = 20, isPooled = false, replicaUrl = null, maxLagMs = MAX_LAG_MS, trace }: DatabaseOptions = {},
): Database {
  const pool = openPool(url, log, { size: poolSize, isPooled, trace });
  const replica =
    replicaUrl === null ? null : openReplica(replicaUrl, { primary: pool, log, size: poolSize, maxLagMs });
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
    const rows = statement.mayLag === true ? await replica?.read(statement, values) : null;
    return rows ?? (await pool.query<Row>(toQueryConfig(statement, values))).rows;
  }
  const lanes = createLanes({
    width: Math.ceil(poolSize * LANE_SHARE),
    shared: Math.ceil(poolSize * WORKSPACE_SHARE),
    most: Math.ceil(poolSize * CROWD_SHARE),
    timeoutMs: TURN_TIMEOUT_MS,
  });
  return {
    run,
    runIn: shareRuns(
      (lane, getSignal) => (statement, values) => lanes(lane, () => run(statement, values), getSignal?.()),
    ),
    transaction: (work) => runTransaction({ pool, lend: lent.lend, trace }, work),
    prisma,
    lanes,
    countConnections: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      limit: poolSize,
      waiting: { connection: pool.waitingCount, turn: lanes.count().waiting },
    }),
    moveTo: (moved) => {
      pool.options.connectionString = moved;
    },
    close: async () => {
      await Promise.all([prisma.$disconnect(), lent.close(), replica?.close()]);
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
