import type { Duplex } from "node:stream";
import type { SqlDriverAdapterFactory, SqlQuery, Transaction } from "@prisma/driver-adapter-utils";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { batchWrites } from "./batch-writes.ts";
import { TRANSACTION_TIMEOUT } from "./run-transaction.ts";

/** What a statement begins with that is to be sent together with its transaction's COMMIT. It has no result. */
export const AT_COMMIT = "/* at commit */ ";

/**
 * Prisma's adapter for pg, whose transactions send what begins with {@link AT_COMMIT} in one write with
 * COMMIT: the locks that it takes are held no longer than the commit itself, whatever becomes of this process.
 *
 * @see runTransaction which does the same without Prisma.
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
    // What follows a statement that failed only fails for that.
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

/** Neither the adapter's types nor pg's tell of the connection; its stream is TLS's where there is one. */
function getStream(transaction: Transaction): Duplex {
  return (transaction as unknown as { client: { connection: { stream: Duplex } } }).client.connection.stream;
}

function ignore(): void {}
