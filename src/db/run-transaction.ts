import type { Duplex } from "node:stream";
import type pg from "pg";
import { batchWrites } from "./batch-writes.ts";
import { toQueryConfig } from "./to-query-config.ts";
import type { BoundStatement, RunStatement } from "./statement.ts";

/** What the work of a transaction came to, and the statements that end it. */
export type TransactionOutcome<Result> = { result: Result; last: readonly BoundStatement[] };

/** How long a statement of a transaction may take: what waits for a lock takes its time. */
export const TRANSACTION_TIMEOUT = "SET LOCAL statement_timeout = '30s'";

/**
 * Runs work in a transaction of prepared statements. BEGIN goes with its first statement and COMMIT with
 * the last ones, so that neither has a round trip of its own: the locks that the last ones take are held
 * no longer than the commit itself.
 */
export async function runTransaction<Result>(
  pool: pg.Pool,
  work: (run: RunStatement) => Promise<TransactionOutcome<Result>>,
): Promise<Result> {
  const client = await pool.connect();
  // Whatever waits for an answer hears of it; without a listener the process would end.
  client.on("error", ignore);
  let isLost = false;
  try {
    return await workAndCommit(client, work);
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
  work: (run: RunStatement) => Promise<TransactionOutcome<Result>>,
): Promise<Result> {
  let hasBegun = false;
  let isOver = false;

  function send<Row extends object>(...[statement, values]: BoundStatement) {
    const begin = hasBegun ? [] : [client.query(`BEGIN; ${TRANSACTION_TIMEOUT}`)];
    hasBegun = true;
    return [client.query<Row>(toQueryConfig(statement, values)), ...begin] as const;
  }

  async function run<Row extends object>(...bound: BoundStatement): Promise<Row[]> {
    // What one of several branches still asks for when another has failed would run in whoever has the connection next.
    if (isOver) throw new Error("a statement of a transaction that is over");
    const [{ rows }] = await sendTogether(client, () => send<Row>(...bound));
    return rows;
  }

  const { result, last } = await work(run).finally(() => (isOver = true));
  if (!hasBegun && last.length === 0) return result;
  const [committed] = await sendTogether(client, () => {
    const sent = last.flatMap((bound) => send(...bound));
    return [client.query("COMMIT"), ...sent] as const;
  });
  // What failed and was caught has ended the transaction: COMMIT takes it back then, without an error.
  if (committed.command !== "COMMIT")
    throw new Error("a transaction in which a statement failed was committed");
  return result;
}

/** Sends what is asked for here in one write, and waits for all of its answers. */
async function sendTogether<const Answers extends readonly Promise<unknown>[]>(
  client: pg.PoolClient,
  ask: () => Answers,
): Promise<{ -readonly [Index in keyof Answers]: Awaited<Answers[Index]> }> {
  // pg's types leave out the connection; its stream is TLS's where there is one.
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  return Promise.all(batchWrites(stream, ask));
}

function ignore(): void {}
