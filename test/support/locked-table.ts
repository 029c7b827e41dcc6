import pg from "pg";
import { vi } from "vitest";
import type { TestDatabase } from "./database.ts";

/** A table that nobody else can use, so that whoever wants it waits. */
export type LockedTable = {
  /** Waits until so many sessions wait for the table. @returns their process ids. */
  waiters: (count: number) => Promise<number[]>;
  release: () => Promise<void>;
};

/** Locks a table until it is released. */
export async function lockTable(database: TestDatabase, table: string): Promise<LockedTable> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("BEGIN");
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  return {
    waiters: (count) =>
      vi.waitFor(
        async () => {
          const rows = await database.query<{ pid: number }>(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          if (rows.length < count) throw new Error(`${rows.length} wait`);
          return rows.map(({ pid }) => pid);
        },
        { timeout: 5000, interval: 10 },
      ),
    release: async () => {
      await client.query("COMMIT");
      await client.end();
    },
  };
}
