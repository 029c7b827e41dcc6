import { readFile, rename, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./embedded-cluster.ts";
import { hasCode, isProcessRunning, run } from "./embedded-run.ts";

/** A cluster's running server, from its lock file. `port` is undefined while it is starting. */
export type Server = { lockFile: string; pid: number; port: number | undefined };

const logLimitBytes = 10_000_000;
const stopTimeoutMs = 60_000;

/** Finds the running server that PostgreSQL's lock file names. */
export async function findServer(cluster: Cluster): Promise<Server | undefined> {
  const lockFile = await readLockFile(cluster);
  const [pidLine = "", data = "", , portLine = ""] = lockFile.split("\n");
  const server = { lockFile, pid: Number(pidLine), port: Number(portLine) || undefined };
  if (!(server.pid > 0) || !isProcessRunning(server.pid)) return undefined;
  if (await isPostgresProcess(server.pid, data)) return server;
  // PostgreSQL takes any process of its user for a server, so a reused pid would prevent a start.
  await forgetServer(cluster, server);
  return undefined;
}

/**
 * Removes a lock file that names another process. A running server is still detected by its shared memory.
 */
export async function forgetServer(cluster: Cluster, server: Server): Promise<void> {
  if ((await readLockFile(cluster)) === server.lockFile)
    await rm(join(cluster.data, "postmaster.pid"), { force: true });
}

/**
 * Starts the cluster's server, detached from this process and its terminal. Returns the reason if it fails.
 */
export async function startPostgres(cluster: Cluster, port: number): Promise<string | undefined> {
  const logBytes = await rotateLog(cluster.log);
  const settings = [...getSettings(cluster.isDurable), `port=${port}`].map((setting) => `-c ${setting}`);
  const { ok, output } = await run(
    cluster.binaries.pgCtl,
    ["start", "-w", "-s", "-t", "60", "-D", cluster.data, "-l", cluster.log, "-o", settings.join(" ")],
    { user: cluster.user, cwd: cluster.directory },
  );
  return ok ? undefined : `${output}\n${await readTail(cluster.log, logBytes)}`.trim();
}

/** Stops the cluster's server and ends its connections. Returns the reason if it fails. */
export async function stopPostgres(cluster: Cluster): Promise<string | undefined> {
  const server = await findServer(cluster);
  if (!server) return undefined;
  const { user, directory: cwd } = cluster;
  // Without pg_ctl's own wait, which would continue if another process restarted the server at once.
  const args = ["stop", "-W", "-s", "-m", "fast", "-D", cluster.data];
  const { ok, output } = await run(cluster.binaries.pgCtl, args, { user, cwd });
  const deadline = Date.now() + stopTimeoutMs;
  while (Date.now() < deadline) {
    if (!(await readLockFile(cluster)).startsWith(`${server.pid}\n`)) return undefined;
    if (!ok) return output;
    await delay(20);
  }
  return `process ${server.pid} is still running after ${stopTimeoutMs} ms`;
}

/** Returns a free port of 127.0.0.1, the preferred one if possible. */
export async function choosePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    // Below the range of outgoing connections, so that it stays free for the next start.
    const port = 15_000 + Math.floor(Math.random() * 17_000);
    if (await isFree(port)) return port;
  }
  throw new Error(
    "No port of 127.0.0.1 between 15000 and 32000 is free for PostgreSQL. Free one, or set DATABASE_URL.",
  );
}

async function readLockFile(cluster: Cluster): Promise<string> {
  return await readFile(join(cluster.data, "postmaster.pid"), "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  });
}

async function isPostgresProcess(pid: number, data: string): Promise<boolean> {
  const words = await readProcessArguments(pid);
  return basename(words[0] ?? "").startsWith("postgres") && words.join(" ").includes(data);
}

async function readProcessArguments(pid: number): Promise<string[]> {
  if (process.platform === "linux") {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  }
  return (await run("ps", ["-o", "args=", "-p", String(pid)])).output.split(" ");
}

function getSettings(isDurable: boolean): string[] {
  return [
    "listen_addresses=127.0.0.1",
    // No Unix socket: its path is limited to about 100 bytes, and the data folder's may be longer.
    "unix_socket_directories=",
    "max_connections=200",
    "shared_buffers=256MB",
    "effective_cache_size=1GB",
    "work_mem=8MB",
    "random_page_cost=1.1",
    "jit=off",
    "timezone=UTC",
    "log_timezone=UTC",
    // Callers log failed statements themselves; PostgreSQL's log would contain their values.
    "log_min_messages=log",
    "log_checkpoints=off",
    "synchronous_commit=on",
    ...(isDurable ? ["fsync=on"] : ["fsync=off", "full_page_writes=off"]),
  ];
}

async function rotateLog(log: string): Promise<number> {
  const size = (await stat(log).catch(() => undefined))?.size ?? 0;
  if (size < logLimitBytes) return size;
  await rename(log, `${log}.1`);
  return 0;
}

async function readTail(log: string, fromBytes: number): Promise<string> {
  const text = await readFile(log).catch(() => Buffer.alloc(0));
  return text.subarray(fromBytes).toString("utf8").trim().split("\n").slice(-20).join("\n");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
