import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "./generated/client.ts";

/** The part of a connection that a lent Prisma uses. */
export type LentConnection = { query: (config: pg.QueryConfig) => Promise<pg.QueryResult> };

/** Lends a connection to Prisma, for a transaction that Prisma does not begin or end. */
export type Lend = <Client>(connection: LentConnection, bind: Bind<Client>) => Loan<Client>;

/** Prisma on a lent connection, until the loan ends. */
export type Loan<Client> = { client: Promise<Client>; end: () => void };

/** Derives a transaction's client from Prisma. */
export type Bind<Client> = (prisma: PrismaClient) => {
  $transaction: (work: (client: Client) => Promise<void>, limits: object) => Promise<void>;
};

/** Longer than any transaction may take. */
const LIMITS = { maxWait: 60_000, timeout: 60_000 };
const OWN = /^(?:BEGIN|COMMIT|ROLLBACK)$/;
const NOTHING = { rows: [], rowCount: 0, fields: [], command: "", oid: 0 };

/**
 * Prisma for transactions that it does not begin or end: its BEGIN, COMMIT and ROLLBACK are not sent, so
 * that its calls and prepared statements share a transaction.
 */
export function createLentPrisma(options: ConstructorParameters<typeof PrismaPg>[1]): {
  lend: Lend;
  close: () => Promise<void>;
} {
  let next: LentConnection | null = null;
  /** Loans start one after the other, so that each transaction gets its own connection. */
  let begun: Promise<unknown> = Promise.resolve();

  class LentPool extends pg.Pool {
    override async connect(): Promise<pg.PoolClient> {
      const connection = next;
      next = null;
      if (connection === null) throw new Error("Prisma began a transaction of its own");
      return toPoolClient(connection);
    }
  }
  const prisma = new PrismaClient({ errorFormat: "minimal", adapter: new PrismaPg(new LentPool(), options) });

  function lend<Client>(connection: LentConnection, bind: Bind<Client>): Loan<Client> {
    let end: () => void = ignore;
    const over = new Promise<void>((resolve) => (end = resolve));
    async function begin(): Promise<Client> {
      next = connection;
      return new Promise<Client>((resolve, reject) => {
        async function lendUntilOver(client: Client): Promise<void> {
          resolve(client);
          await over;
        }
        bind(prisma).$transaction(lendUntilOver, LIMITS).catch(reject);
      });
    }
    const client = begun.then(begin);
    begun = client.catch(ignore);
    return { client, end };
  }

  return { lend, close: () => prisma.$disconnect() };
}

function toPoolClient({ query }: LentConnection): pg.PoolClient {
  const client: Pick<pg.PoolClient, "release"> & Record<"query" | "on" | "removeListener", unknown> = {
    query: async (config: pg.QueryConfig) => (OWN.test(config.text) ? NOTHING : query(config)),
    on: ignore,
    removeListener: ignore,
    release: ignore,
  };
  // The adapter uses nothing else.
  return client as unknown as pg.PoolClient;
}

function ignore(): void {}
