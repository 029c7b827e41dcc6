import { cp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { migrate } from "../../src/db/migrate.ts";
import { prismaFolder } from "../../src/db/schema-engine.ts";
import { eventCursor } from "../../src/domain/kernel/cursors.ts";
import {
  changeBackup,
  createBareDatabase,
  createSpareDatabase,
  newBackupPath,
  readDigests,
  runOn,
  signBackup,
  writeHostileRow,
} from "../support/backups.ts";
import type { TestDatabase } from "../support/database.ts";
import { startNode } from "../support/node-process.ts";
import { createPopulatedWorkspace } from "../support/populated-workspace.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { startWriting } from "../support/writing-process.ts";
import { runCli, startCli, waitForExit } from "./run-cli.ts";

let world: TestWorld;
let source: TestDatabase;

beforeAll(async () => {
  world = await createWorld();
  source = world.server.database;
  await createPopulatedWorkspace(world.server);
  await writeHostileRow(source);
  // Nothing else writes to the database then.
  await world.server.stop();
});

afterAll(() => source.drop());

async function backUp(): Promise<string> {
  const file = newBackupPath();
  expect(await runOn(source, "backup", "--file", file)).toMatchObject({ exitCode: 0, said: { file } });
  return file;
}

describe("backup", () => {
  it("has every row, and its restore gives events a new epoch", async () => {
    const target = await createSpareDatabase();
    expect(await runOn(target, "restore", "--file", await backUp())).toMatchObject({
      exitCode: 0,
      said: { restored: true },
    });
    const digests = await readDigests(source);
    const filled = Object.values(digests).filter((digest) => !digest.startsWith("0 "));
    expect(filled.length).toBeGreaterThan(70);
    expect(await readDigests(target)).toEqual(digests);
    const epochs = (await Promise.all([source, target].map(readHeads))).flat().map(({ epoch }) => epoch);
    expect(epochs.length).toBeGreaterThan(2);
    expect(new Set(epochs).size).toBe(epochs.length);
  });

  it("is of one moment while others write, and a server goes on from it", async () => {
    const { workspaceId } = world;
    const writer = startWriting(source.url, workspaceId);
    await writer.reached(40);
    const before = [...writer.written];
    const file = await backUp();
    await writer.reached(writer.written.length + 20);
    await writer.kill();
    const target = await createSpareDatabase();
    await runOn(target, "restore", "--file", file);
    const [count] = await target.query<Record<string, number>>(
      `SELECT (SELECT count(*) FROM task WHERE workspace_id = $1)::int AS tasks, (SELECT total FROM collection_total
         WHERE workspace_id = $1 AND collection = 'tasks' AND facet = 'all')::int AS total,
        (SELECT count(*) FROM event WHERE workspace_id = $1)::int AS events,
        (SELECT seq - min_seq + 1 FROM workspace_head WHERE workspace_id = $1)::int AS seqs`,
      [workspaceId],
    );
    expect(count?.["tasks"]).toBe(count?.["total"]);
    expect(count?.["events"]).toBe(count?.["seqs"]);
    expect(await target.query("SELECT FROM task WHERE id = ANY($1::uuid[])", [before])).toHaveLength(
      before.length,
    );
    expect(await runOn(target, "audit", "verify", "--workspace", workspaceId)).toMatchObject({ exitCode: 0 });
    await expectResync(target);
  });

  it("is written to standard output with -", async () => {
    const file = newBackupPath();
    const { exitCode, stdout } = await runCli(["backup", "--file", "-"], { DATABASE_URL: source.url });
    await writeFile(file, stdout, "latin1");
    expect(exitCode).toBe(0);
    expect(await runOn(source, "restore", "--file", file, "--dry-run")).toMatchObject({
      exitCode: 0,
      said: { restored: false, tables: expect.any(Number) },
    });
  });

  it("says so if its reader has gone", async () => {
    const child = startCli(["backup", "--file", "-"], { DATABASE_URL: source.url });
    child.stdout?.destroy();
    const [exitCode, stderr] = await Promise.all([
      waitForExit(child),
      text(child.stderr ?? Readable.from([])),
    ]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: "agent-ops: the output was closed before everything was written\n",
    });
  });

  it("replaces no file, and only its owner can read it", async () => {
    const file = await backUp();
    const written = await readFile(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await runOn(source, "backup", "--file", file)).toMatchObject({
      exitCode: 1,
      said: { error: { code: "validation_failed", field: "file" } },
    });
    expect(await readFile(file)).toEqual(written);
  });

  it("creates no database", async () => {
    const place = path.dirname(newBackupPath());
    const { exitCode, stdout } = await runCli(["backup", "--file", "-", "--json"], { DATA_DIR: place });
    expect({ exitCode, said: JSON.parse(stdout) }).toMatchObject({
      exitCode: 1,
      said: { error: { code: "no_database" } },
    });
    expect(await readdir(place)).toEqual([]);
  });

  it("ends with an error for a database without our tables", async () => {
    const empty = await createBareDatabase("SELECT 1");
    expect(await runOn(empty, "backup", "--file", newBackupPath())).toMatchObject({
      exitCode: 1,
      said: { error: { code: "database_unknown" } },
    });
  });
});

/** A server on the restored database accepts credentials, and tells who followed events to start anew. */
async function expectResync(target: TestDatabase): Promise<void> {
  const headers = { authorization: `Bearer ${world.apiKey}` };
  const head = (await readHeads(source)).find(({ id }) => id === world.workspaceId);
  const cursor = eventCursor(head?.epoch ?? "", BigInt(head?.seq ?? 0));
  const node = await startNode(target.url);
  onTestFinished(async () => void (await node.stop()));
  const events = `${node.url}/api/v1/events`;
  expect(await readJson(`${events}?after=${cursor}`, headers)).toMatchObject({
    status: 410,
    code: "cursor_expired",
  });
  const { next_after: next } = await readJson(events, headers);
  expect(next).not.toBe(cursor);
  const body = JSON.stringify({ title: "After the restore" });
  const posted = { ...headers, "content-type": "application/json" };
  const { task } = await (
    await fetch(`${node.url}/api/v1/tasks`, { method: "POST", headers: posted, body })
  ).json();
  expect(await readJson(`${events}?after=${next}`, headers)).toMatchObject({
    events: [expect.objectContaining({ type: "task.created", subject_id: task.id })],
  });
}

// oxlint-disable-next-line typescript/no-explicit-any -- the answer of an API
async function readJson(url: string, headers: Record<string, string>): Promise<any> {
  return (await fetch(url, { headers })).json();
}

describe("restore", () => {
  it.each([
    ["a changed row", (text: string) => text.replace("Test workspace", "Best workspace")],
    ["a missing end", (text: string) => text.slice(0, -100)],
    [
      "a missing row",
      (text: string) =>
        text.replace(/\nCOPY "task"[^\n]*\n[^\n]*\n/, (rows) => rows.slice(0, rows.indexOf("\n", 1) + 1)),
    ],
    ["something after its end", (text: string) => `${text}COPY`],
  ])("changes nothing for a backup with %s", async (_name, change) => {
    const file = await backUp();
    const target = await createSpareDatabase();
    const before = await readDigests(target);
    await changeBackup(file, (text) => {
      const changed = change(text);
      expect(changed).not.toBe(text);
      return changed;
    });
    expect(await runOn(target, "restore", "--file", file)).toMatchObject({
      exitCode: 1,
      said: { error: { code: "backup_damaged" } },
    });
    expect(await readDigests(target)).toEqual(before);
  });

  it("rejects a file that was cut off, one that is no backup, and none", async () => {
    const file = await backUp();
    await writeFile(file, (await readFile(file)).subarray(0, -1000));
    expect((await runOn(source, "restore", "--file", file)).said.error.code).toBe("backup_damaged");
    const other = await backUp();
    await changeBackup(other, (text) => text.replace("agent-ops", "another"));
    expect((await runOn(source, "restore", "--file", other)).said.error.code).toBe("backup_unknown");
    expect((await runOn(source, "restore", "--file", newBackupPath())).said.error).toMatchObject({
      code: "validation_failed",
      field: "file",
    });
  });

  it("rejects a backup with a migration that this version doesn't have", async () => {
    const file = await backUp();
    await changeBackup(file, (text) =>
      signBackup(text.replace(/"name":"(\d{14})_first"/, '"name":"$1_last"')),
    );
    const target = await createSpareDatabase();
    expect(await runOn(target, "restore", "--file", file)).toMatchObject({
      exitCode: 1,
      said: { error: { code: "backup_unknown", message: expect.stringContaining("_last") } },
    });
  });

  it("restores a backup of an older version, and migrates it", async () => {
    const folder = path.join(path.dirname(newBackupPath()), "migrations");
    await cp(path.join(prismaFolder(), "migrations"), folder, { recursive: true });
    const newest = (await readdir(folder))
      .filter((name) => /^\d/.test(name))
      .toSorted()
      .slice(-5);
    await Promise.all(newest.map((name) => rm(path.join(folder, name), { recursive: true })));
    const older = await createBareDatabase("SELECT 1");
    await migrate(older.url, pino({ level: "silent" }), folder);
    const file = newBackupPath();
    const { said } = await runOn(older, "backup", "--file", file);
    expect(newest).not.toContain(said.migration);
    const target = await createSpareDatabase();
    expect((await runOn(target, "restore", "--file", file)).exitCode).toBe(0);
    const again = newBackupPath();
    expect((await runOn(target, "backup", "--file", again)).said.migration).toBe(newest.at(-1));
  });

  it("replaces workspaces only if told to", async () => {
    const file = await backUp();
    const target = await createSpareDatabase();
    await runOn(target, "workspace", "create", "--name", "Other");
    expect(await runOn(target, "restore", "--file", file)).toMatchObject({
      exitCode: 1,
      said: { error: { code: "database_not_empty" } },
    });
    expect((await runOn(target, "restore", "--file", file, "--replace")).exitCode).toBe(0);
    const { said } = await runOn(target, "workspace", "list");
    expect(said.workspaces.map(({ id }: { id: string }) => id)).toContain(world.workspaceId);
    expect(said.workspaces.map(({ name }: { name: string }) => name)).not.toContain("Other");
  });

  it("leaves what it would replace if a row can't be stored", async () => {
    const file = await backUp();
    await changeBackup(file, (text) => signBackup(text.replace(/(\nCOPY "task"[^\n]*\n)[^\n]*/, "$1wrong")));
    const target = await createSpareDatabase();
    await runOn(target, "workspace", "create", "--name", "Other");
    const before = await readDigests(target);
    expect((await runOn(target, "restore", "--file", file, "--replace")).exitCode).toBe(1);
    expect(await readDigests(target)).toEqual(before);
    expect(await target.query("SELECT FROM pg_namespace WHERE nspname = 'agent_ops_restore'")).toEqual([]);
  });

  it("fills no table of PostgreSQL's own", async () => {
    const file = await backUp();
    await changeBackup(file, (text) => signBackup(text.replace('COPY "task" ', 'COPY "pg_authid" ')));
    const target = await createSpareDatabase();
    expect(await runOn(target, "restore", "--file", file)).toMatchObject({
      exitCode: 1,
      said: { error: { message: expect.stringContaining("agent_ops_restore.pg_authid") } },
    });
  });

  it("refuses a database that a server uses, and one with tables of another program", async () => {
    const file = await backUp();
    const used = await createSpareDatabase();
    const client = new pg.Client({ connectionString: used.url, application_name: "agent-ops-listen" });
    await client.connect();
    expect((await runOn(used, "restore", "--file", file)).said.error.code).toBe("database_in_use");
    await client.end();
    const other = await createBareDatabase("CREATE TABLE pet (name text)");
    expect((await runOn(other, "restore", "--file", file, "--replace")).said.error.code).toBe(
      "database_unknown",
    );
  });
});

function readHeads({ query }: TestDatabase): Promise<{ id: string; epoch: string; seq: string }[]> {
  return query("SELECT workspace_id AS id, epoch::text, seq::text FROM workspace_head");
}
