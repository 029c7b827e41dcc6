import type { Logger } from "pino";
import { acquire, adoptRunning } from "./embedded-acquire.ts";
import { openCluster, type Cluster } from "./embedded-cluster.ts";
import { isHoldConnected, isLast, closeHold, type Hold } from "./embedded-hold.ts";
import { choosePort, findServer, stopPostgres } from "./embedded-server.ts";

/** The embedded PostgreSQL server, possibly shared with other processes. */
export type EmbeddedDatabase = {
  /** Includes the password. The port changes if the old one is taken at a restart. */
  readonly url: string;
  /** Whether this call started the server. */
  readonly started: boolean;
  readonly directory: string;
  /** Restarts the server if it has ended. Returns true if it was restarted. */
  ensureRunning: () => Promise<boolean>;
  /** Stops the server unless others are connected. Close your own connections first. */
  stop: () => Promise<void>;
};

/**
 * Starts the PostgreSQL server of a data folder, which is created if necessary, or adopts it if it is
 * running. The server outlives this process: after a crash, the next start finds it with all acknowledged
 * data.
 *
 * @param options.durable false is faster but unsafe on power failure. For tests.
 * @throws {Error} with a message for operators that includes the end of PostgreSQL's log.
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
    // Checks both: a connection may outlive a killed server for a moment.
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
    if (!(await isLast(held))) return log.info("PostgreSQL is left running, because other processes use it");
    const failure = await stopPostgres(cluster);
    if (failure !== undefined) throw new Error(`PostgreSQL in ${cluster.data} did not stop: ${failure}`);
    log.info("PostgreSQL stopped");
  } finally {
    await closeHold(held);
  }
}
