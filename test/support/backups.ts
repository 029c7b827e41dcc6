import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { type TestDatabase, createTestDatabase } from "./database.ts";

/** Creates a database that is dropped after the test. */
export async function createSpareDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
}

let made = 0;

/** Creates a database without tables of ours, after a statement of its own, with options of CREATE DATABASE. */
export async function createBareDatabase(statement: string, options = ""): Promise<{ url: string }> {
  const admin = new pg.Client({ connectionString: inject("adminUrl") });
  await admin.connect();
  const name = `agent_ops_bare_${process.pid}_${Date.now().toString(36)}_${made++}`;
  await admin.query(`CREATE DATABASE ${name} ${options}`);
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });
  const { href: url } = Object.assign(new URL(inject("adminUrl")), { pathname: `/${name}` });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
  return { url };
}

/** Returns the path of a file that doesn't exist, in a folder that is removed after the test. */
export function newBackupPath(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return path.join(folder, "backup.gz");
}

/** Runs a command on a database. @returns its exit code and what it says in JSON. */
export async function runOn(database: Pick<TestDatabase, "url">, ...args: string[]) {
  const { exitCode, stdout } = await runCli([...args, "--json"], { DATABASE_URL: database.url });
  return { exitCode, said: JSON.parse(stdout) };
}

/** Changes a backup's text, as the bytes of its characters. */
export async function changeBackup(file: string, change: (text: string) => string): Promise<void> {
  const text = gunzipSync(await readFile(file)).toString("latin1");
  await writeFile(file, gzipSync(Buffer.from(change(text), "latin1")));
}

/** Gives a changed text the checksum that it should have. */
export function signBackup(text: string): string {
  const body = text.slice(0, text.lastIndexOf("-- sha256 "));
  return `${body}-- sha256 ${createHash("sha256").update(body, "latin1").digest("hex")}\n`;
}

/** A digest of all rows of each table, whatever their order. Epochs are left out. */
export async function readDigests({ query }: TestDatabase): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await query<{ digest: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(text, ';' ORDER BY text)), '') AS digest
       FROM (SELECT (to_jsonb(t) - 'epoch')::text AS text FROM "${name}" t) rows`,
    );
    digests[name] = row?.digest ?? "";
  }
  return digests;
}

/** A row that looks like the end of its table and like another table, and is as wide as any. */
export async function writeHostileRow({ query }: TestDatabase): Promise<void> {
  const text =
    '\\.\n\\.\r\n\\N\tCOPY "task" ("id") FROM stdin;\n\n\\\\.\u0001\u0008\u007f\u2028\u{1f600}\\u0000\\x00';
  const input = JSON.stringify([{ kind: "text", text: `${text}${"\\".repeat(4_194_304)}` }]);
  const update = "UPDATE task SET title = $1, input = $2::jsonb WHERE id = (SELECT id FROM task LIMIT 1)";
  await query(update, [text, input]);
}
