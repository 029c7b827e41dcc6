import pg from "pg";
import type { Logger } from "pino";
import type { TraceStatement } from "./trace-statement.ts";

/** How long to wait for a connection or for a turn. */
export const TURN_TIMEOUT_MS = 5000;
/** The time limit of a single statement, such as a caller's read. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** The time limits of each connection, in milliseconds. */
const SESSION_LIMITS = {
  // Transactions have a longer limit: see TRANSACTION_TIMEOUT.
  statement_timeout: STATEMENT_TIMEOUT_MS,
  // Shorter than a statement, so that a wait for a lock is reported as such.
  lock_timeout: STATEMENT_TIMEOUT_MS - 1000,
  // A process that was suspended in a transaction loses its locks after this time.
  idle_in_transaction_session_timeout: 3000,
};

/** PostgreSQL's settings for each connection. A pooler sets them for its own connections: see deploy/pgbouncer. */
export const SESSION_SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(SESSION_LIMITS).map(([name, limit]) => [name, String(limit)])),
  // Statements are short; where PostgreSQL overestimates one, compiling it would take half a second each time.
  jit: "off",
};

/** `isPooled`: whether the URL is of a pooler in transaction mode, where each transaction may have another connection. */
export type PoolOptions = { size: number; isPooled?: boolean; trace?: TraceStatement | undefined };

/** Without named prepared statements, which belong to one of the pooler's connections. */
class UnnamedClient extends pg.Client {
  // Each of its many forms takes the statement first.
  override query: pg.Client["query"] = (statement: unknown, ...rest: unknown[]) => {
    const query = super.query.bind(this) as (...given: unknown[]) => never;
    if (typeof statement !== "object" || statement === null || !("name" in statement))
      return query(statement, ...rest);
    return query({ ...statement, name: undefined }, ...rest);
  };
}

/** Opens a pool of connections, which connects at first use. */
export function openPool(url: string, log: Logger, { size, isPooled = false, trace }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: "agent-ops",
    connectionTimeoutMillis: TURN_TIMEOUT_MS,
    // Sends statements without waiting for the results of those before them.
    pipeline: true,
    ...(isPooled ? { Client: UnnamedClient } : { ...SESSION_LIMITS, options: "-c jit=off" }),
  });
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  if (trace !== undefined) traceQueries(pool, trace);
  return pool;
}

/** Everything outside of transactions, Prisma's statements too, is a query of the pool. */
function traceQueries(pool: pg.Pool, trace: TraceStatement): void {
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
  function traced(config: string | pg.QueryConfig, ...rest: unknown[]): Promise<unknown> {
    const statement = typeof config === "string" ? { text: config } : config;
    return trace(statement, () => query(config, ...rest));
  }
  // Nobody here uses callbacks, which the type allows too.
  pool.query = traced as typeof pool.query;
}
