import pg from "pg";
import { inject } from "vitest";

/** A test file's own database, migrated and empty. */
export type TestDatabase = {
  url: string;
  /** Runs one statement on a separate connection. */
  query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;
  drop: () => Promise<void>;
};

let made = 0;

/** Creates a database for the calling file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `agent_ops_test_${process.pid}_${Date.now().toString(36)}_${made++}`;
  const adminUrl = inject("adminUrl");
  await asAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${inject("template")}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 4 });
  pool.on("error", () => {});
  return {
    url: url.href,
    query: async (text, values = []) => (await pool.query(text, values)).rows,
    drop: async () => {
      await pool.end();
      await asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
