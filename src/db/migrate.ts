import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { MigrationDirectory, MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import { DatabaseError } from "pg";
import type { Logger } from "pino";
import { isLockTimeout } from "./database-errors.ts";
import { hasCode } from "./embedded-run.ts";
import {
  closeConnection,
  noFilters,
  openConnection,
  prismaFolder,
  readMigrations,
  withEngine,
} from "./schema-engine.ts";
import type { MigrationConnection } from "./schema-engine.ts";

/** The key of Prisma's own advisory lock, so that we and `prisma migrate deploy` wait for each other. */
export const MIGRATION_LOCK = 72_707_369;

/** How long a migration waits for a lock, how long it lets others go on then, and how often it tries. */
const LOCK_WAIT_MS = 1000;
const LOCK_PAUSE_MS = 2000;
const LOCK_ATTEMPTS = 100;

/**
 * Applies the folder's pending migrations, each in its own transaction. Safe to run in several processes at
 * once. Needs one query if there is nothing to do.
 *
 * @returns the names of the applied migrations.
 * @throws {Error} with a message for operators, if a migration fails (and is rolled back) or the database's
 *   history differs from the folder's.
 */
export async function migrate(
  databaseUrl: string,
  log: Logger,
  folder = join(prismaFolder(), "migrations"),
): Promise<string[]> {
  const [migrations, connection] = await Promise.all([readMigrations(folder), openConnection(databaseUrl)]);
  try {
    if (isUpToDate(migrations, await readHistory(connection))) return [];
    await lock(connection, log);
    const history = await readHistory(connection);
    assertSound(migrations, history);
    return await applyPending(connection, { migrations, history, log });
  } finally {
    await closeConnection(connection);
  }
}

type Entry = { migration_name: string; checksum: string; finished_at: Date | null };

async function readHistory(connection: MigrationConnection): Promise<Entry[]> {
  try {
    const { rows } = await connection.client.query<Entry>(
      `SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
    );
    return rows;
  } catch (error) {
    if (hasCode(error, "42P01")) return [];
    throw error;
  }
}

function isUpToDate({ migrationDirectories }: MigrationList, history: Entry[]): boolean {
  return (
    history.length === migrationDirectories.length &&
    migrationDirectories.every((directory) =>
      history.some(
        (entry) =>
          entry.finished_at && entry.migration_name === directory.path && isSameMigration(entry, directory),
      ),
    )
  );
}

async function lock({ client }: MigrationConnection, log: Logger): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
    MIGRATION_LOCK,
  ]);
  if (rows[0]?.locked === true) return;
  log.info("waiting for another process to migrate the database");
  await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
}

function assertSound({ migrationDirectories }: MigrationList, history: Entry[]): void {
  for (const entry of history) {
    const name = entry.migration_name;
    const directory = migrationDirectories.find(({ path }) => path === name);
    if (!directory) {
      throw new Error(
        `The database has the migration ${name}, which this version of the program does not have. Start the version that applied it, or restore an older backup of the database.`,
      );
    }
    if (!entry.finished_at)
      throw new Error(howToResolve(name, "was started on this database and never finished"));
    if (!isSameMigration(entry, directory)) {
      throw new Error(
        `The migration ${name} has changed since it was applied to this database. Restore its migration.sql, or start with an empty database. Never edit an applied migration: write a new one.`,
      );
    }
  }
}

/** Whether a database's record of a migration is of this file. */
export function isSameMigration(entry: { checksum: string }, { migrationFile }: MigrationDirectory): boolean {
  // Prisma also ignores differences in line ends.
  const unix = getContent(migrationFile).replaceAll("\r\n", "\n");
  return [getContent(migrationFile), unix, unix.replaceAll("\n", "\r\n")].some(
    (text) => createHash("sha256").update(text).digest("hex") === entry.checksum,
  );
}

function getContent({ content }: MigrationDirectory["migrationFile"]): string {
  return content.value;
}

type Work = { migrations: MigrationList; history: Entry[]; log: Logger };

function applyPending(
  connection: MigrationConnection,
  { migrations, history, log }: Work,
): Promise<string[]> {
  const applied = new Set(history.map((entry) => entry.migration_name));
  return withEngine(connection, async (engine) => {
    const names: string[] = [];
    for (const directory of migrations.migrationDirectories) {
      if (applied.has(directory.path)) continue;
      applied.add(directory.path);
      const migrationDirectories = migrations.migrationDirectories.filter(({ path }) => applied.has(path));
      await applyPatiently(engine, connection, { ...migrations, migrationDirectories }).catch(
        (error: unknown) => fail(connection, directory, error),
      );
      log.info({ migration: directory.path }, "database migrated");
      names.push(directory.path);
    }
    return names;
  });
}

/**
 * Whoever waits for a table's lock has all later readers and writers of it wait too. So a migration gives up soon and
 * tries again, while other servers go on.
 */
async function applyPatiently(
  engine: SchemaEngine,
  connection: MigrationConnection,
  migrationsList: MigrationList,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyOne(engine, connection, migrationsList);
      return;
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS || !isLockTimeout(connection.lastError ?? error)) throw error;
      await connection.client.query("ROLLBACK");
      await pause(LOCK_PAUSE_MS);
    }
  }
}

// In a transaction, unlike Prisma's own command: a crash or an error leaves no partly applied migration.
async function applyOne(
  engine: SchemaEngine,
  connection: MigrationConnection,
  migrationsList: MigrationList,
): Promise<void> {
  connection.lastError = undefined;
  await connection.client.query(`BEGIN; SET LOCAL lock_timeout = '${LOCK_WAIT_MS}ms'`);
  await engine.applyMigrations({ migrationsList, filters: noFilters });
  await connection.client.query("COMMIT");
}

async function fail(
  connection: MigrationConnection,
  directory: MigrationDirectory,
  error: unknown,
): Promise<never> {
  await connection.client.query("ROLLBACK").catch(() => undefined);
  const name = directory.path;
  if (hasCode(error, "P3005")) {
    throw new Error(
      "The database is not empty and has no record of migrations, so it does not belong to this " +
        "program. Set DATABASE_URL to an empty database.",
      { cause: error },
    );
  }
  const cause = connection.lastError ?? error;
  const reason = describe(cause, getContent(directory.migrationFile));
  const history = await readHistory(connection).catch(() => []);
  // Only a migration that contains COMMIT can be partly applied.
  const isHalfDone = history.some((entry) => entry.migration_name === name);
  throw new Error(
    isHalfDone
      ? howToResolve(name, `failed after a part was applied: ${reason}`)
      : `The migration ${name} failed and was rolled back: ${reason}. The database is unchanged. Fix the cause and start again.`,
    { cause },
  );
}

function describe(error: unknown, sql: string): string {
  if (!(error instanceof DatabaseError)) return error instanceof Error ? error.message : String(error);
  const line = error.position && sql.slice(0, Number(error.position)).split("\n").length;
  const details = [error.code, line && `line ${line} of its migration.sql`, error.detail, error.hint];
  return `${error.message} (${details.filter(Boolean).join("; ")})`;
}

function howToResolve(name: string, what: string): string {
  return (
    `The migration ${name} ${what}. Undo by hand what it left in the database, if anything, and mark it so with ` +
    `\`npx prisma migrate resolve --rolled-back ${name}\` or the SQL ` +
    `\`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '${name}' AND finished_at IS NULL\`. Then start again.`
  );
}
