import pg from "pg";
import { vi } from "vitest";
import type { TestDatabase } from "./database.ts";
import { PATIENCE } from "./patience.ts";

/** A lock held by a transaction, for others to wait for. */
export type HeldLock = {
  /** Waits until this many sessions wait for a lock. @returns their process ids. */
  waiters: (count: number) => Promise<number[]>;
  /** Runs another statement in the transaction that holds the lock. */
  query: (statement: string, values?: unknown[]) => Promise<void>;
  release: () => Promise<void>;
};

/** Locks a table until it is released. */
export async function lockTable(database: TestDatabase, table: string): Promise<HeldLock> {
  return holdLock(database, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
}

/** Runs a statement that locks something until it is released. */
export async function holdLock(
  database: TestDatabase,
  statement: string,
  values: unknown[] = [],
): Promise<HeldLock> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("BEGIN");
  await client.query(statement, values);
  return {
    waiters: (count) =>
      vi.waitFor(async () => {
        const rows = await database.query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        if (rows.length < count) throw new Error(`${rows.length} wait`);
        return rows.map(({ pid }) => pid);
      }, PATIENCE),
    query: async (more, given = []) => {
      await client.query(more, given);
    },
    release: async () => {
      await client.query("COMMIT");
      await client.end();
    },
  };
}
