import type { Duplex } from "node:stream";
import type pg from "pg";
import { batchWrites } from "./batch-writes.ts";
import type { Bind, Lend, Loan } from "./lent-prisma.ts";
import type { BoundStatement, Run, Statement } from "./sql.ts";
import type { TraceStatement } from "./trace-statement.ts";
import { toQueryConfig } from "./to-query-config.ts";

/** The result of a transaction's work, and its last statements. */
export type TransactionOutcome<Result> = { result: Result; last: readonly BoundStatement[] };

/** The time limit of a transaction's statements, which may have to wait for locks. */
const TRANSACTION_TIMEOUT = "SET LOCAL statement_timeout = '30s'";

/** With the last statements: the appends of events. */
const COMMIT = { text: "COMMIT" };

/** A running transaction, for statements and Prisma. */
export type DatabaseTransaction = {
  run: Run;
  /** Prisma in this transaction. Started at first use, because that takes CPU time. */
  lend: <Client>(bind: Bind<Client>) => Promise<Client>;
};

/**
 * Runs a transaction. BEGIN is sent with the first statement and COMMIT with the last ones, which saves round
 * trips; locks of the last ones are held only during the commit, even if this process stops.
 */
export async function runTransaction<Result>(
  { pool, lend, trace = untraced }: { pool: pg.Pool; lend: Lend; trace?: TraceStatement | undefined },
  work: (tx: DatabaseTransaction) => Promise<TransactionOutcome<Result>>,
): Promise<Result> {
  const client = await pool.connect();
  // Callers see the error in their query. Without a listener the process would end.
  client.on("error", ignore);
  let isLost = false;
  try {
    return await workAndCommit(client, { lend, trace }, work);
  } catch (error) {
    isLost = await client.query("ROLLBACK").then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.removeListener("error", ignore);
    client.release(isLost);
  }
}

async function workAndCommit<Result>(
  client: pg.PoolClient,
  { lend, trace }: { lend: Lend; trace: TraceStatement },
  work: (tx: DatabaseTransaction) => Promise<TransactionOutcome<Result>>,
): Promise<Result> {
  let hasBegun = false;
  let isOver = false;
  const loans: Loan<unknown>[] = [];

  function send<Row extends object>(config: pg.QueryConfig) {
    const begin = hasBegun ? [] : [client.query(`BEGIN; ${TRANSACTION_TIMEOUT}`)];
    hasBegun = true;
    return [client.query<Row>(config), ...begin] as const;
  }

  async function query<Row extends object>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    // A concurrent branch may continue after another has failed. Its statements would run on a connection
    // that is used by somebody else.
    if (isOver) throw new Error("the transaction has ended");
    return trace(config, async () => {
      const [answer] = await sendTogether(client, () => send<Row>(config));
      return answer;
    });
  }

  async function run<Row extends object>(
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return (await query<Row>(toQueryConfig(statement, values))).rows;
  }

  async function begin<Client>(bind: Bind<Client>): Promise<Client> {
    if (isOver) throw new Error("the transaction has ended");
    const loan = lend({ query }, bind);
    loans.push(loan);
    return loan.client;
  }

  const { result, last } = await work({ run, lend: begin }).finally(() => {
    isOver = true;
    for (const { end } of loans) end();
  });
  if (!hasBegun && last.length === 0) return result;
  const [committed] = await trace(COMMIT, () =>
    sendTogether(client, () => {
      const sent = last.flatMap((bound) => send(toQueryConfig(...bound)));
      return [client.query("COMMIT"), ...sent] as const;
    }),
  );
  // After a failed statement, COMMIT rolls back without an error.
  if (committed.command !== "COMMIT")
    throw new Error("the transaction was rolled back, because one of its statements failed");
  return result;
}

/** Sends all statements of a function in one write, and waits for all answers. */
async function sendTogether<const Answers extends readonly Promise<unknown>[]>(
  client: pg.PoolClient,
  ask: () => Answers,
): Promise<{ -readonly [Index in keyof Answers]: Awaited<Answers[Index]> }> {
  // pg's types leave out the connection. With TLS, its stream is the TLS stream.
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  return Promise.all(batchWrites(stream, ask));
}

function ignore(): void {}

function untraced<Result>(_statement: unknown, run: () => Promise<Result>): Promise<Result> {
  return run();
}
