import pg from "pg";
import { expect, inject } from "vitest";

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
      try {
        await expectNamedActs(pool);
      } finally {
        await pool.end();
        await asAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }
    },
  };
}

/** Expects that the events and audit rows of a test file say what happened to what, as `task.created` to a `task`. */
async function expectNamedActs(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    `SELECT type AS act, subject_type AS subject FROM event
     UNION SELECT action, target_type FROM audit_event`,
  );
  for (const row of rows) {
    expect(row).toEqual({
      act: expect.stringMatching(/^[a-z][\w.]*$/),
      subject: expect.stringMatching(/^[a-z_]+$/),
    });
  }
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
