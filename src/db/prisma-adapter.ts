import type { Duplex } from "node:stream";
import type { SqlDriverAdapterFactory, SqlQuery, Transaction } from "@prisma/driver-adapter-utils";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { batchWrites } from "./batch-writes.ts";
import { TRANSACTION_TIMEOUT } from "./run-transaction.ts";

/** The prefix of a statement that is sent together with its transaction's COMMIT. Its result is discarded. */
export const AT_COMMIT = "/* at commit */ ";

/**
 * Prisma's adapter for pg, but statements that start with {@link AT_COMMIT} are sent in one write with
 * COMMIT: their locks are held only during the commit, even if this process stops.
 *
 * @see runTransaction for the same without Prisma.
 */
export function createPrismaAdapter(
  pool: pg.Pool,
  options: ConstructorParameters<typeof PrismaPg>[1],
): SqlDriverAdapterFactory {
  const factory = new PrismaPg(pool, options);
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      const start = adapter.startTransaction.bind(adapter);
      adapter.startTransaction = async (level) => {
        const transaction = await start(level);
        // Sent with the first statement, which fails where this does.
        transaction.executeRaw({ sql: TRANSACTION_TIMEOUT, args: [], argTypes: [] }).catch(ignore);
        return withLastStatements(transaction);
      };
      return adapter;
    },
  };
}

function withLastStatements(transaction: Transaction): Transaction {
  const last: SqlQuery[] = [];
  const execute = transaction.executeRaw.bind(transaction);

  async function commit(query: SqlQuery): Promise<number> {
    const answers = await batchWrites(getStream(transaction), () =>
      Promise.allSettled([...last, query].map((each) => execute(each))),
    );
    // Statements after a failed one fail only because of it.
    const failed = answers.find((answer) => answer.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return 0;
  }

  transaction.executeRaw = async (query) => {
    if (query.sql === "COMMIT" && last.length > 0) return commit(query);
    if (!query.sql.startsWith(AT_COMMIT)) return execute(query);
    last.push(query);
    return 0;
  };
  return transaction;
}

/** Neither the adapter's nor pg's types include the connection. With TLS, its stream is the TLS stream. */
function getStream(transaction: Transaction): Duplex {
  return (transaction as unknown as { client: { connection: { stream: Duplex } } }).client.connection.stream;
}

function ignore(): void {}
