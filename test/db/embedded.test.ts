import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startEmbedded, type EmbeddedDatabase } from "../../src/db/embedded.ts";

const isRoot = process.getuid?.() === 0;
const patience = { timeout: 20_000, interval: 20 };
let parent: string;
let directory: string;
let databases: EmbeddedDatabase[];
let children: ChildProcess[];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "agent-ops-embedded-"));
  await chmod(parent, 0o711);
  directory = join(parent, "postgres");
  databases = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const database of databases) await database.stop();
  await rm(parent, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

describe("startEmbedded", { timeout: 60_000 }, () => {
  it("creates a database with Unicode case folding, UTF-8 and UTC", async () => {
    const { url } = await start();
    const rows = await query(
      url,
      "SELECT lower('ÉCOLE') AS lower, current_database() AS name, getdatabaseencoding() AS encoding, current_setting('timezone') AS zone",
    );
    expect(rows).toEqual([{ lower: "école", name: "agent_ops", encoding: "UTF8", zone: "UTC" }]);
  });

  it("protects its folder and password, and listens only on 127.0.0.1", async () => {
    const { url } = await start();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, "cluster", "state.json"))).mode & 0o777).toBe(0o600);
    expect(await query(url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
    expect(await query(url, "SHOW unix_socket_directories")).toEqual([{ unix_socket_directories: "" }]);
    const wrong = Object.assign(new URL(url), { password: "wrong" }).href;
    await expect(query(wrong, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("syncs every commit unless told otherwise", async () => {
    const { url } = await start({ durable: true });
    const settings =
      "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit";
    expect(await query(url, settings)).toEqual([{ fsync: "on", commit: "on" }]);
  });

  it("survives a kill of its starter's process group, and the next start reuses it", async () => {
    const child = await startInChild({ write: true });
    const pid = await postmasterPid();
    process.kill(-child.pid, "SIGKILL");
    await child.exited;
    const database = await start();
    expect(database).toMatchObject({ started: false, url: child.url });
    expect(await postmasterPid()).toBe(pid);
    expect(await query(database.url, "SELECT name FROM written")).toEqual([{ name: "acknowledged" }]);
  });

  it("recovers its data after PostgreSQL was killed with its starter", async () => {
    const child = await startInChild({ write: true });
    process.kill(await postmasterPid(), "SIGKILL");
    process.kill(child.pid, "SIGKILL");
    await child.exited;
    const database = await start();
    expect(database.started).toBe(true);
    expect(await query(database.url, "SELECT name FROM written")).toEqual([{ name: "acknowledged" }]);
  });

  it("starts despite a lock file with another program's process id", async () => {
    const first = await start();
    const lockFile = await readFile(lockFilePath(), "utf8");
    await first.stop();
    const other = keep(spawn("sleep", ["600"], { ...(await owner()), stdio: "ignore" }));
    await writeFile(lockFilePath(), lockFile.replace(/^\d+/, String(other.pid)), { mode: 0o600 });
    await handOver(lockFilePath());
    expect((await start()).started).toBe(true);
    expect(other.exitCode).toBeNull();
  });

  it("starts another server in a copy of a running server's folder", async () => {
    const first = await start();
    await query(first.url, "CREATE TABLE original (id int); CHECKPOINT");
    const copy = join(parent, "copy");
    await promisify(execFile)("cp", ["-a", directory, copy]);
    const second = await start({ directory: copy });
    expect(second.started).toBe(true);
    await query(second.url, "DROP TABLE original");
    expect(await query(first.url, "SELECT * FROM original")).toEqual([]);
  });

  it("starts one server for two processes that create the same folder concurrently", async () => {
    const [first, second] = await Promise.all([startInChild(), startInChild()]);
    expect(first.url).toBe(second.url);
    expect([first, second].filter(({ started }) => started)).toHaveLength(1);
    expect(await readdir(directory)).toEqual(["cluster", "postgres.log"]);
    await start();
  });

  it("starts one server for concurrent starts in an existing folder", async () => {
    await (await start()).stop();
    const all = await Promise.all([start(), start(), start()]);
    expect(new Set(all.map((database) => database.url)).size).toBe(1);
    expect(all.filter((database) => database.started)).toHaveLength(1);
  });

  it("keeps its port if it is free, else uses another", async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    expect(second.url).toBe(first.url);
    await second.stop();
    const squatter = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
    await once(squatter, "listening");
    const third = await start();
    squatter.close();
    expect(third.url).not.toBe(first.url);
    expect(await query(third.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("recovers from a crash during the folder's creation", async () => {
    const child = keep(spawnStart());
    await vi.waitFor(async () => expect((await readdir(directory)).join()).toMatch(/\.new/), patience);
    child.kill("SIGKILL");
    await once(child, "exit");
    const { url } = await start();
    expect(await query(url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect((await readdir(directory)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  it("prints the end of PostgreSQL's log if it can't start", async () => {
    await (await start()).stop();
    await appendFile(join(directory, "cluster", "data", "postgresql.conf"), "no_such_setting = 1\n");
    await expect(start()).rejects.toThrow(
      /can't be started in .*unrecognized configuration parameter "no_such_setting"/s,
    );
  });

  it.runIf(isRoot)("names a folder that PostgreSQL's user can't access", async () => {
    await chmod(parent, 0o700);
    await expect(start()).rejects.toThrow(`can't enter ${parent}, a parent of ${directory}`);
  });
});

describe("EmbeddedDatabase.stop", { timeout: 60_000 }, () => {
  it("keeps the server running for others, and stops it after the last", async () => {
    const database = await start();
    const other = new pg.Client(database.url);
    await other.connect();
    await database.stop();
    expect((await other.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    const last = await start();
    expect(last.started).toBe(false);
    await other.end();
    await last.stop();
    await expect(stat(lockFilePath())).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("keeps the server running for another process that started it, even if idle", async () => {
    const child = await startInChild();
    const database = await start();
    await database.stop();
    expect(await query(child.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await start();
  });

  it("stops it once when all stop concurrently", async () => {
    const all = await Promise.all([start(), start(), start()]);
    await Promise.all(all.map((database) => database.stop()));
    await expect(stat(lockFilePath())).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("never stops the server during a concurrent start", async () => {
    const first = await start();
    const [, second] = await Promise.all([first.stop(), start()]);
    expect(await query(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });
});

describe("EmbeddedDatabase.ensureRunning", { timeout: 60_000 }, () => {
  it("restarts a killed server once for concurrent callers", async () => {
    const database = await start();
    await query(database.url, "CREATE TABLE kept (id int)");
    expect(await database.ensureRunning()).toBe(false);
    process.kill(await postmasterPid(), "SIGKILL");
    await vi.waitFor(() => expect(query(database.url, "SELECT 1")).rejects.toThrow(), patience);
    expect(await Promise.all([database.ensureRunning(), database.ensureRunning()])).toEqual([true, true]);
    expect(await query(database.url, "SELECT * FROM kept")).toEqual([]);
    expect(await database.ensureRunning()).toBe(false);
  });

  it("doesn't restart a stopped server", async () => {
    const database = await start();
    await database.stop();
    expect(await database.ensureRunning()).toBe(false);
    await expect(stat(lockFilePath())).rejects.toMatchObject({ code: "ENOENT" });
  });
});

async function start(options: { directory?: string; durable?: boolean } = {}): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({
    directory,
    log: pino({ level: "silent" }),
    durable: false,
    ...options,
  });
  databases.push(database);
  return database;
}

type Started = { pid: number; url: string; started: boolean; exited: Promise<unknown> };

async function startInChild(options: { write?: boolean } = {}): Promise<Started> {
  const child = keep(spawnStart(options));
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, "line"),
    exited.then(() => Promise.reject(new Error("the child ended"))),
  ]);
  return { ...JSON.parse(String(line[0])), pid: child.pid, exited };
}

function spawnStart({ write = false } = {}) {
  const code = `
    import pg from "pg";
    import { pino } from "pino";
    import { startEmbedded } from ${JSON.stringify(new URL("../../src/db/embedded.ts", import.meta.url).href)};
    const { url, started } = await startEmbedded({ directory: process.argv[1], log: pino({ level: "silent" }) });
    if (${write}) {
      const client = new pg.Client(url);
      await client.connect();
      await client.query("CREATE TABLE written AS SELECT 'acknowledged' AS name");
    }
    process.stdout.write(JSON.stringify({ url, started }) + "\\n");
    setInterval(() => undefined, 1_000_000);
  `;
  const args = ["--import", "tsx", "--input-type=module", "--eval", code, directory];
  // Its own process group, as a shell would create.
  return spawn(process.execPath, args, { detached: true, stdio: ["ignore", "pipe", "inherit"] });
}

function keep<Child extends ChildProcess>(child: Child): Child {
  children.push(child);
  return child;
}

function lockFilePath(): string {
  return join(directory, "cluster", "data", "postmaster.pid");
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(lockFilePath(), "utf8"), 10);
}

async function owner(): Promise<{ uid: number; gid: number } | undefined> {
  const { uid, gid } = await stat(join(directory, "cluster"));
  return isRoot ? { uid, gid } : undefined;
}

async function handOver(file: string): Promise<void> {
  const account = await owner();
  if (account) await promisify(execFile)("chown", [`${account.uid}:${account.gid}`, file]);
}

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
