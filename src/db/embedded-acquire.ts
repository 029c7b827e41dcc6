import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { readState, writeState, type Cluster } from "./embedded-cluster.ts";
import { databaseName, hold, type Hold } from "./embedded-hold.ts";
import { hasCode } from "./embedded-run.ts";
import { choosePort, findServer, forgetServer, startPostgres, type Server } from "./embedded-server.ts";

/** A server that runs and stays: it is marked as in use. `started` says whether this call started it. */
export type AcquiredServer = { held: Hold; url: string; started: boolean };

const startTimeoutMs = 300_000;
const slowStartMs = 5_000;
const startAttempts = 5;

/**
 * Finds the cluster's server running, or starts it.
 *
 * @throws {Error} fit for an operator, with the end of PostgreSQL's log.
 */
export async function acquire(cluster: Cluster, log: Logger): Promise<AcquiredServer> {
  const warning = setTimeout(
    () => log.warn("PostgreSQL takes long to start: it may be recovering"),
    slowStartMs,
  );
  try {
    const acquired = await startOrAdopt(cluster);
    const { started } = acquired;
    log.info({ port: Number(new URL(acquired.url).port), started }, "PostgreSQL is running");
    return acquired;
  } finally {
    clearTimeout(warning);
  }
}

/** Marks the cluster's server as in use if it runs. Starts nothing. */
export async function adoptRunning(cluster: Cluster): Promise<Hold | undefined> {
  const server = await findServer(cluster);
  const adopted = server && (await adopt(cluster, server));
  return typeof adopted === "object" ? adopted.held : undefined;
}

// A loop, as other processes may start and stop the same server meanwhile: PostgreSQL's lock file decides who
// starts it, and the lock behind `hold` that nobody stops it once we have it.
async function startOrAdopt(cluster: Cluster): Promise<AcquiredServer> {
  const deadline = Date.now() + startTimeoutMs;
  let started = false;
  let failures = 0;
  let reason: string | undefined;
  while (Date.now() < deadline && failures < startAttempts) {
    const server = await findServer(cluster);
    const outcome = server ? await adopt(cluster, server) : await start(cluster);
    if (typeof outcome === "object") return { ...outcome, started };
    started ||= !server && outcome === undefined;
    failures += !server && outcome !== undefined ? 1 : 0;
    reason = outcome;
    // The processes of a server that was killed need a moment to go, and one that starts or stops to be done.
    if (reason !== undefined) await delay(server ? 50 : 200 * failures);
  }
  throw new Error(`PostgreSQL can't be started in ${cluster.data} (its log is ${cluster.log}): ${reason}`);
}

async function start(cluster: Cluster): Promise<string | undefined> {
  const { port } = await readState(cluster);
  return await startPostgres(cluster, await choosePort(port));
}

async function adopt(cluster: Cluster, server: Server): Promise<Omit<AcquiredServer, "started"> | string> {
  if (server.port === undefined) return `process ${server.pid} is still starting`;
  const before = await readState(cluster);
  const state = { ...before, port: server.port };
  const held = await hold(state, cluster.data).catch((error: unknown) => describe(error, cluster, server));
  if (held === "foreign") await forgetServer(cluster, server);
  if (typeof held === "string") return held;
  if (before.port !== state.port) await writeState(cluster, state);
  const { user, password, port } = state;
  return { held, url: `postgresql://${user}:${password}@127.0.0.1:${port}/${databaseName}?sslmode=disable` };
}

function describe(error: unknown, cluster: Cluster, server: Server): string {
  const text = `process ${server.pid} on port ${server.port} answers: ${String(error)}`;
  if (!hasCode(error, "28P01", "28000")) return text;
  throw new Error(`The password kept in ${cluster.home} is not that of the server that runs there: ${text}`);
}
