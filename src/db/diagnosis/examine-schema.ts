import { join } from "node:path";
import type { Client } from "pg";
import type { MigrationDirectory } from "@prisma/schema-engine-wasm";
import { hasCode } from "../embedded-run.ts";
import { isSameMigration } from "../migrate.ts";
import { prismaFolder, readMigrations } from "../schema-engine.ts";
import { readDeclaredIndexes } from "./declared-indexes.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

type Applied = { name: string; checksum: string; isFinished: boolean };

/** Compares the database's migrations and indexes with this version's. */
export async function examineSchema(client: Client): Promise<Finding[]> {
  const { migrationDirectories: own } = await readMigrations(join(prismaFolder(), "migrations"));
  const history = await examineMigrations(client, own);
  // Before they are applied, nothing says which there should be.
  if (history.status !== "ok") return [history];
  return [history, await examineIndexes(client, own)];
}

async function examineMigrations(client: Client, own: readonly MigrationDirectory[]): Promise<Finding> {
  const check = "database.migrations";
  const applied = await readApplied(client);
  for (const { name, isFinished, checksum } of applied) {
    const directory = own.find(({ path }) => path === name);
    if (directory === undefined)
      return fail(
        check,
        `${name} is of a newer version`,
        "Start that version; this one can't use the database.",
      );
    if (!isFinished)
      return fail(check, `${name} was not finished`, "Start the server: its error says how to go on.");
    if (!isSameMigration({ checksum }, directory))
      return fail(check, `${name} has changed since it was applied`, "Install the released version again.");
  }
  const pending = own.length - applied.length;
  return pending === 0
    ? ok(check, `all ${own.length} are applied`)
    : warn(
        check,
        `${pending} of ${own.length} are not applied`,
        "Take a backup; the server's start applies them.",
      );
}

async function readApplied(client: Client): Promise<Applied[]> {
  try {
    const { rows } = await client.query<Applied>(
      `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
       FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
    );
    return rows;
  } catch (error) {
    if (hasCode(error, "42P01")) return [];
    throw error;
  }
}

async function examineIndexes(client: Client, own: readonly MigrationDirectory[]): Promise<Finding> {
  const check = "database.indexes";
  const { rows } = await client.query<{ name: string; isValid: boolean }>(
    `SELECT c.relname::text AS name, i.indisvalid AS "isValid" FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = current_schema()::regnamespace`,
  );
  const invalid = rows.filter(({ isValid }) => !isValid).map(({ name }) => name);
  if (invalid.length > 0)
    return fail(check, `${invalid.join(", ")} can't be used`, "Run REINDEX INDEX CONCURRENTLY for each.");
  const found = new Set(rows.map(({ name }) => name));
  const declared = readDeclaredIndexes(own.map(({ migrationFile }) => migrationFile.content.value));
  const missing = [...declared].filter(([name]) => !found.has(name));
  if (missing.length === 0) return ok(check, `all ${declared.size} are there`);
  const statements = missing.map(([name, statement]) => statement ?? `the key ${name}`);
  return fail(
    check,
    `${missing.map(([name]) => name).join(", ")} missing`,
    `Create again: ${statements.join("; ")}.`,
  );
}
