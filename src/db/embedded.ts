import type { Logger } from "pino";
import { acquire, adoptRunning } from "./embedded-acquire.ts";
import { openCluster, type Cluster } from "./embedded-cluster.ts";
import { isHoldConnected, isLast, closeHold, type Hold } from "./embedded-hold.ts";
import { choosePort, findServer, stopPostgres } from "./embedded-server.ts";

/** A PostgreSQL server of our own, in use by this process and perhaps by others. */
export type EmbeddedDatabase = {
  /** Holds the password. It names another port after a restart that found the old one taken. */
  readonly url: string;
  /** Whether this call started the server, rather than finding it running. */
  readonly started: boolean;
  readonly directory: string;
  /** Starts the server again if it died. True if it had to be started. */
  ensureRunning: () => Promise<boolean>;
  /** Stops the server, unless somebody else is connected. Close your own connections before. */
  stop: () => Promise<void>;
};

/**
 * Starts the PostgreSQL server of a data folder, made new where there is none, or finds it running. The server
 * outlives this process: after a crash the next start finds it with everything that was acknowledged.
 *
 * @param options.durable false trades safety from power cuts for speed, for tests.
 * @throws {Error} fit for an operator, with the end of PostgreSQL's log.
 */
export async function startEmbedded(options: {
  directory: string;
  log: Logger;
  durable?: boolean;
}): Promise<EmbeddedDatabase> {
  const log = options.log.child({ directory: options.directory });
  const cluster = await openCluster(options.directory, options.durable ?? true, await choosePort());
  const first = await acquire(cluster, log);
  let current = first;
  let restarting: Promise<boolean> | undefined;
  let stopped = false;

  async function restart(): Promise<boolean> {
    if (stopped) return false;
    // Both, as a connection may outlive a server that was killed, but only until it notices.
    if ((await findServer(cluster)) && (await isHoldConnected(current.held))) return false;
    await closeHold(current.held);
    current = await acquire(cluster, log);
    return current.started;
  }

  return {
    get url() {
      return current.url;
    },
    started: first.started,
    directory: cluster.directory,
    ensureRunning() {
      restarting ??= restart().finally(() => void (restarting = undefined));
      return restarting;
    },
    async stop() {
      stopped = true;
      await restarting?.catch(() => undefined);
      await release(cluster, current.held, log);
    },
  };
}

async function release(cluster: Cluster, known: Hold, log: Logger): Promise<void> {
  const held = (await isHoldConnected(known)) ? known : await adoptRunning(cluster);
  if (!held) return;
  held.socket.ref();
  try {
    if (!(await isLast(held))) return log.info("PostgreSQL is left running, as others use it");
    const failure = await stopPostgres(cluster);
    if (failure !== undefined) throw new Error(`PostgreSQL in ${cluster.data} did not stop: ${failure}`);
    log.info("PostgreSQL stopped");
  } finally {
    await closeHold(held);
  }
}
