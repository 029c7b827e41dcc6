import pg from "pg";
import { BackupError } from "./backup-error.ts";
import { quoteName, type BackupTable } from "./backup-format.ts";
import { listTables } from "./catalog.ts";

/** All rows as they are at one moment, on a connection of its own. */
export type Snapshot = {
  client: pg.Client;
  /** Without partitions. */
  tables: BackupTable[];
  close: () => Promise<void>;
};

/** Others' settings for sessions must neither end a long snapshot nor change how values are written. */
const SETTINGS = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s';
SET client_encoding = 'UTF8'; SET datestyle = 'ISO'; SET intervalstyle = 'postgres'; SET bytea_output = 'hex';
SET extra_float_digits = 1; SET timezone = 'UTC'`;

/**
 * Opens a snapshot. Until it is closed, tables can't be changed or dropped, and what others write is not seen.
 *
 * @throws {BackupError} database_unknown if the database has not been migrated by this program.
 */
export async function openSnapshot(databaseUrl: string): Promise<Snapshot> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "agent-ops-backup",
    keepAlive: true,
  });
  // Reported by the statement that it interrupts.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(SETTINGS);
    return { client, tables: await lockTables(client), close: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function lockTables(client: pg.Client): Promise<BackupTable[]> {
  const names = (await listTables(client)).map(({ name }) => quoteName(name));
  if (!names.includes('"_prisma_migrations"'))
    throw new BackupError("database_unknown", "The database has no tables of this program.");
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  await client.query(`LOCK TABLE ${names.join(", ")} IN ACCESS SHARE MODE`);
  return await listTables(client);
}
