import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { readState, writeState, type Cluster } from "./embedded-cluster.ts";
import { databaseName, hold, type Hold } from "./embedded-hold.ts";
import { hasCode } from "./embedded-run.ts";
import { choosePort, findServer, forgetServer, startPostgres, type Server } from "./embedded-server.ts";

/** A running server that is marked as in use. `started` is true if this call started it. */
export type AcquiredServer = { held: Hold; url: string; started: boolean };

const startTimeoutMs = 300_000;
const slowStartMs = 5_000;
const startAttempts = 5;

/**
 * Adopts the cluster's running server, or starts it.
 *
 * @throws {Error} with a message for operators that includes the end of PostgreSQL's log.
 */
export async function acquire(cluster: Cluster, log: Logger): Promise<AcquiredServer> {
  const warning = setTimeout(
    () => log.warn("PostgreSQL takes long to start and may be recovering"),
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

/** Marks the cluster's server as in use if it is running. Does not start it. */
export async function adoptRunning(cluster: Cluster): Promise<Hold | undefined> {
  const server = await findServer(cluster);
  const adopted = server && (await adopt(cluster, server));
  return typeof adopted === "object" ? adopted.held : undefined;
}

// Retries, because other processes may start and stop the same server. PostgreSQL's lock file decides who
// starts it; the lock in `hold` prevents others from stopping it.
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
    // Processes of a killed server need a moment to end, and a starting or stopping one to finish.
    if (reason !== undefined) await delay(server ? 50 : 200 * failures);
  }
  throw new Error(`PostgreSQL can't be started in ${cluster.data}: ${reason}. See its log: ${cluster.log}`);
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
  throw new Error(`The password in ${cluster.home} is not that of the running server: ${text}`);
}
