import pg from "pg";
import { vi } from "vitest";
import type { TestDatabase } from "./database.ts";
import { PATIENCE } from "./patience.ts";

/** A lock held by a transaction, for others to wait for. */
export type HeldLock = {
  /** Waits until this many sessions wait for this lock, or behind one that does. @returns their process ids. */
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
  const holder = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return {
    waiters: (count) =>
      vi.waitFor(async () => {
        const waiting = await listWaiting(database, holder.rows[0]?.pid);
        if (waiting.length < count) throw new Error(`${waiting.length} wait`);
        return waiting;
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

/** Process ids of the sessions that wait for a session's locks, also behind others that do. */
async function listWaiting(database: TestDatabase, holder: number | undefined): Promise<number[]> {
  const rows = await database.query<{ pid: number }>(
    `WITH RECURSIVE blocked AS MATERIALIZED (
       SELECT pid, pg_blocking_pids(pid) AS by FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'
     ), waiting AS (
       SELECT pid FROM blocked WHERE $1 = ANY(by)
       UNION SELECT blocked.pid FROM blocked JOIN waiting ON waiting.pid = ANY(blocked.by)
     ) SELECT pid FROM waiting`,
    [holder],
  );
  return rows.map(({ pid }) => pid);
}
