import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { Logger } from "pino";
import { MIGRATION_LOCK, isSameMigration, migrate } from "../migrate.ts";
import { prismaFolder, readMigrations } from "../schema-engine.ts";
import { BackupError } from "./backup-error.ts";
import { quoteName, type BackupHeader, type BackupTable } from "./backup-format.ts";
import { dropConstraints, listTables } from "./catalog.ts";
import { readBackup } from "./read-backup.ts";
import { STAGING, createStaging } from "./staging.ts";
import type { BackupSummary } from "./write-backup.ts";

type Options = {
  /** Whether the workspaces that the database has may be deleted. */
  replace: boolean;
  log: Logger;
  signal: AbortSignal;
};

const SETTINGS = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '10s';
SET client_encoding = 'UTF8'; SET datestyle = 'ISO'; SET client_min_messages = 'warning'`;

/** As Prisma creates it. It is in no migration. */
const HISTORY_TABLE = `CREATE TABLE _prisma_migrations (
  id varchar(36) PRIMARY KEY NOT NULL, checksum varchar(64) NOT NULL, finished_at timestamptz,
  migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`;

/**
 * Reads a backup to its end without a database, and checks that this version of the program knows its tables.
 *
 * @throws {BackupError} backup_unknown, backup_damaged.
 */
export async function checkBackup(file: string, signal: AbortSignal): Promise<BackupSummary> {
  const found = { tables: 0, rows: 0 };
  const { header, sha256 } = await readBackup(file, {
    signal,
    take: async (_table, rows) => {
      found.tables += 1;
      for await (const part of rows) found.rows += countLines(part);
    },
  });
  await readSchema(header);
  return { header, sha256, ...found };
}

/**
 * Restores a checked backup: creates its tables by the migrations that its database had and fills them, then puts them
 * in the place of the database's own in one transaction, with a new epoch of each workspace's events, and applies the
 * newer migrations. Nobody else may use the database meanwhile.
 *
 * @throws {BackupError} database_in_use; database_unknown if it has tables of others; database_not_empty if it has
 *   workspaces that may not be replaced; backup_damaged if it has changed since it was checked.
 */
export async function restoreBackup(
  databaseUrl: string,
  { file, checked }: { file: string; checked: BackupSummary },
  { replace, log, signal }: Options,
): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: "agent-ops-restore",
    keepAlive: true,
  });
  // Reported by the statement that it interrupts.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(SETTINGS);
    await refuseUsers(client);
    await refuseTables(client, replace);
    const staging = await createStaging(client);
    try {
      await createTables(client, checked.header);
      await client.query("BEGIN");
      await fillTables(client, { file, checked, signal });
      // Cursors from after the backup would otherwise skip the events that take their numbers.
      await client.query("UPDATE workspace_head SET epoch = gen_random_uuid()");
      await staging.replaceTables();
      signal.throwIfAborted();
      await client.query("COMMIT");
    } catch (error) {
      // What it leaves if the connection is lost, the next restore drops.
      await staging.drop().catch(() => {});
      throw error;
    }
    await client.query("ANALYZE");
  } finally {
    await client.end();
  }
  await migrate(databaseUrl, log);
}

/** @returns the statements of the migrations that the backup's database had. */
async function readSchema({ version, migrations }: BackupHeader): Promise<string[]> {
  const { migrationDirectories } = await readMigrations(join(prismaFolder(), "migrations"));
  return migrations.map((migration) => {
    const own = migrationDirectories.find(({ path }) => path === migration.name);
    if (own !== undefined && isSameMigration(migration, own)) return own.migrationFile.content.value;
    throw new BackupError(
      "backup_unknown",
      `The backup is of version ${version} and has the migration ${migration.name}, which this version of the ` +
        "program does not have. Restore it with the version that wrote it, or a newer one.",
    );
  });
}

async function refuseUsers(client: pg.Client): Promise<void> {
  // A server that starts meanwhile waits for it before it migrates.
  await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND application_name LIKE 'agent-ops%' AND application_name <> 'agent-ops-hold'`,
  );
  if ((rows[0]?.count ?? 0) === 0) return;
  throw new BackupError(
    "database_in_use",
    "Servers or commands of Agent Ops use the database. Stop them first.",
  );
}

async function refuseTables(client: pg.Client, replace: boolean): Promise<void> {
  const tables = (await listTables(client)).map(({ name }) => name);
  if (tables.length === 0) return;
  if (!tables.includes("_prisma_migrations"))
    throw new BackupError(
      "database_unknown",
      "The database has tables of another program. Restore into an empty database.",
    );
  if (!replace && tables.includes("workspace")) await refuseWorkspaces(client);
}

async function refuseWorkspaces(client: pg.Client): Promise<void> {
  const { rows } = await client.query("SELECT FROM workspace LIMIT 1");
  if (rows.length === 0) return;
  throw new BackupError(
    "database_not_empty",
    "The database has workspaces. Restore into an empty database, or add --replace to delete all that it has.",
  );
}

async function createTables(client: pg.Client, header: BackupHeader): Promise<void> {
  await client.query(HISTORY_TABLE);
  // Each in a transaction of its own: the next may use the values that it adds to an enum.
  for (const statements of await readSchema(header)) await client.query(statements);
  for (const { table, name, bounds } of header.partitions)
    await client.query(`CREATE TABLE ${quoteName(name)} PARTITION OF ${quoteName(table)} ${bounds}`);
}

async function fillTables(
  client: pg.Client,
  { file, checked, signal }: { file: string; checked: BackupSummary; signal: AbortSignal },
): Promise<void> {
  const tables = (await listTables(client)).map(({ name }) => name);
  const createConstraints = await dropConstraints(client);
  // Migrations write some rows.
  await client.query(`TRUNCATE ${tables.map(quoteName).join(", ")}`);
  async function take(table: BackupTable, rows: AsyncIterable<Buffer>): Promise<void> {
    const columns = table.columns.map(quoteName).join(", ");
    // With its schema, since a file could name a table of PostgreSQL's own.
    const into = `${STAGING}.${quoteName(table.name)} (${columns})`;
    await pipeline(rows, client.query(copyFrom(`COPY ${into} FROM STDIN`)));
  }
  const { sha256 } = await readBackup(file, { take, signal });
  if (sha256 !== checked.sha256)
    throw new BackupError("backup_damaged", "The file was replaced while it was read.");
  await createConstraints();
}

function countLines(part: Buffer): number {
  let lines = 0;
  for (let at = part.indexOf("\n"); at !== -1; at = part.indexOf("\n", at + 1)) lines++;
  return lines;
}
