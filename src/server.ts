import { setMaxListeners } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import type { Logger } from "pino";
import { createApp } from "./app.ts";
import { type OpenServices, openServices } from "./services.ts";
import { startEmailDelivery } from "./auth/emails/start-email-delivery.ts";
import { startToolRefreshes } from "./auth/upstream/refresh-due-tools.ts";
import type { Config } from "./config/config.ts";
import { startCheckpoints } from "./domain/audit/start-checkpoints.ts";
import { notePresence } from "./domain/agents/note-presence.ts";
import { createBudgetCleanups } from "./domain/budgets/budget-cleanups.ts";
import { addressKey } from "./domain/kernel/throttle.ts";
import { startNotifications } from "./domain/notifications/start-notifications.ts";
import { startTaskSums } from "./domain/task-sums/start-task-sums.ts";
import { createTaskSumCleanup } from "./domain/task-sums/task-sum-cleanup.ts";
import { createDecisionCleanups } from "./domain/decisions/decision-cleanup.ts";
import { createRetentionCleanups } from "./domain/retention/retention-cleanups.ts";
import { createWorkspaceRemoval } from "./domain/workspaces/remove-workspaces.ts";
import { startStorageMeasure } from "./domain/quotas/start-storage-measure.ts";
import { startDayPartitions } from "./domain/retention/start-day-partitions.ts";
import type { BatchResult, Cleanup } from "./domain/sweeps/clean-up.ts";
import { startDenialEvents } from "./domain/decisions/start-denial-events.ts";
import { createExpiredRowCleanups } from "./domain/sweeps/expired-row-cleanups.ts";
import { createWebhookCleanup } from "./domain/webhooks/webhook-cleanup.ts";
import { createTraceCleanups } from "./domain/traces/trace-cleanups.ts";
import { writeHeldReports } from "./domain/robots/held-reports.ts";
import { startCleanUp } from "./domain/sweeps/start-clean-up.ts";
import { startDeadlineSweep } from "./domain/sweeps/start-deadline-sweep.ts";
import { startTraceEvents } from "./domain/traces/start-trace-events.ts";
import { type OperationLimits, createOperationLimits } from "./gateway/operation-limits.ts";
import { type SocketServer, createSocketServer } from "./gateway/socket-server.ts";
import { sql } from "./db/sql.ts";
import { createClientAddress } from "./http/client-address.ts";
import { drain, leaveProxies } from "./http/drain.ts";
import { ignoreUpgrade } from "./http/ignore-upgrade.ts";
import { inOrder } from "./http/in-order.ts";
import { limitConnections } from "./http/limit-connections.ts";
import { limitPipelines } from "./http/limit-pipelines.ts";
import { listeningUrl } from "./http/listening-url.ts";
import { type MetricsServer, startMetricsServer } from "./http/metrics-server.ts";
import { type Unread, limitUnsentAnswers } from "./http/unsent-answers.ts";
import { deleteOldMail } from "./mail/mailbox.ts";
import { observeAnswers } from "./metrics/observe-answers.ts";
import { observePool } from "./metrics/observe-pool.ts";
import { observeQueues } from "./metrics/observe-queues.ts";
import { startWebhookDelivery } from "./webhooks/start-webhook-delivery.ts";

export type RunningServer = {
  services: OpenServices;
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  /** The port of the metrics; null for none. */
  metricsPort: number | null;
  /**
   * Lets proxies send requests elsewhere, accepts no more, waits at most ten seconds for running ones, then closes
   * everything.
   */
  stop: () => Promise<void>;
};

const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 };
/**
 * How often connections are checked for timeouts. By default, an incomplete request gets 30 extra seconds.
 */
const CHECKED = { connectionsCheckingInterval: 1000 };
/** Longer than any long poll. */
const UNREAD = { timeoutMs: 60_000, maxBytes: 134_217_728 };
const WAITING = { all: 10_000, address: 1000 };
/** A request that waits takes up to 25 kB. */
const PIPELINED = { connection: 100, waiting: 10_000 };
type Testing = { now?: Date | null; tellsPresence?: boolean; unread?: Unread };
/** The host of an HTTP/1.0 request, which may omit it. */
const NO_HOST = "localhost";
const READY = sql`SELECT 1`;
const WATCH_MS = 1000;
const PRESENCE_MS = 5000;

/**
 * Opens the services and listens. Restarts the embedded database if it ends.
 *
 * @param testing only in tests: the time for expiry checks, whether agents that connect and disconnect are
 *   recorded, and limits on unread answers.
 */
export async function startServer(
  config: Config,
  log: Logger,
  { now = null, tellsPresence = true, unread = UNREAD }: Testing = {},
): Promise<RunningServer> {
  const services = await openServices(config, log, now);
  const stopping = createStopController(services);
  const leaving = new AbortController();
  const operationLimits = createOperationLimits(services.rateLimit);
  const server = createServer(services, config, { operationLimits, unread, leaving: leaving.signal });
  const sockets = await openSockets(server, services, { config, operationLimits });
  const metrics = await openMetrics(services, config);
  const url = await listen(server, services, config);
  const jobs = startBackgroundJobs(services, config, tellsPresence);
  const checkpoints = openCheckpoints(services, config);
  return {
    services,
    url,
    metricsPort: metrics?.port ?? null,
    stop: async () => {
      leaving.abort();
      if (config.trustedProxies.length > 0) await leaveProxies(server);
      // It may send to itself.
      await services.tracing?.flush();
      stopping.abort();
      services.live.endWaits();
      await Promise.all([drain(server), sockets.drain(), jobs.stop()]);
      await writeHeldReports(services);
      // After everything that can add audit events.
      await checkpoints?.stop();
      await metrics?.stop();
      await services.close();
    },
  };
}

/** Ends all waits when the server stops. */
function createStopController(services: OpenServices): AbortController {
  const stopping = new AbortController();
  // Any number of requests may wait.
  setMaxListeners(0, stopping.signal);
  services.stopping = stopping.signal;
  return stopping;
}

function createServer(
  services: OpenServices,
  config: Config,
  given: { operationLimits: OperationLimits; unread: Unread; leaving: AbortSignal },
): Server {
  const { operationLimits, unread, leaving } = given;
  const app = createApp(config, services, {
    operationLimits,
    isReady: async () => !leaving.aborted && (await isReady(services)),
    observe: config.metrics === null ? undefined : observeAnswers(services.live.metrics.registry),
  });
  // By default it creates an HTTP/1.1 server.
  const server = createAdaptorServer({
    fetch: inOrder((request, env) => app.fetch(request, env)),
    hostname: NO_HOST,
    serverOptions: CHECKED,
  }) as Server;
  server.on("connection", services.live.clients.enter);
  limitUnsentAnswers(server, services.log, unread);
  limitConnections(server, WAITING, addressKey);
  limitPipelines(server, PIPELINED);
  return Object.assign(server, TIMEOUTS);
}

async function isReady({ database, live }: OpenServices): Promise<boolean> {
  if (!live.isTrusted()) return false;
  try {
    await database.run(READY, []);
    return true;
  } catch {
    return false;
  }
}

async function openSockets(
  server: Server,
  services: OpenServices,
  { config, operationLimits }: { config: Config; operationLimits: OperationLimits },
): Promise<SocketServer> {
  const { live } = services;
  const sockets = createSocketServer(config, {
    services,
    connections: live.connections,
    feeds: await live.start(),
    metrics: live.metrics,
    limits: operationLimits,
    clientAddress: createClientAddress(config.trustedProxies),
    noteSeen: live.noteSeen,
  });
  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() === "websocket") sockets.upgrade(request, stream, head);
    else ignoreUpgrade(server, request, { stream, head });
  });
  return sockets;
}

async function listen(server: Server, services: OpenServices, { port, host }: Config): Promise<string> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    await services.close();
    throw error;
  }
  // Of a TCP port.
  const { address, port: given } = server.address() as AddressInfo;
  const url = listeningUrl(address, given);
  services.address.url = url;
  return url;
}

async function openMetrics(services: OpenServices, { metrics }: Config): Promise<MetricsServer | null> {
  if (metrics === null) return null;
  observePool(services.live.metrics.registry, services.database);
  observeQueues(services.live.metrics.registry, services.database, services.log);
  try {
    return await startMetricsServer(services.live.metrics.registry, metrics);
  } catch (error) {
    await services.close();
    throw error;
  }
}

function startBackgroundJobs(
  services: OpenServices,
  { dataDir }: Config,
  tellsPresence: boolean,
): { stop: () => Promise<void> } {
  const emailDelivery = startEmailDelivery(services);
  const deadlines = startDeadlineSweep(services, services.now);
  const toolRefreshes = startToolRefreshes(services, services.now);
  const watch = setInterval(() => void reviveDatabase(services), WATCH_MS);
  const cleanUp = startCleanUp(services, [
    ...createExpiredRowCleanups(services),
    ...createRetentionCleanups(services, services.now),
    ...createBudgetCleanups(services, services.now),
    ...createDecisionCleanups(services, services.now),
    ...createTraceCleanups(services, services.now),
    createTaskSumCleanup(services, services.now),
    createWebhookCleanup(services, services.now),
    createWorkspaceRemoval(services, services.now),
    createMailboxCleanup(dataDir),
  ]);
  const partitions = startDayPartitions(services);
  const storage = startStorageMeasure(services);
  const denials = startDenialEvents(services);
  const notifications = startNotifications(services, services.now);
  const taskSums = startTaskSums(services, services.now);
  const traceEvents = startTraceEvents(services);
  const webhooks = startWebhookDelivery(services);
  const telling = tellsPresence ? setInterval(() => void tryNotePresence(services), PRESENCE_MS) : undefined;
  return {
    stop: async () => {
      for (const timer of [watch, telling]) clearInterval(timer);
      const jobs = [
        emailDelivery,
        deadlines,
        toolRefreshes,
        cleanUp,
        partitions,
        storage,
        denials,
        notifications,
        taskSums,
        traceEvents,
        webhooks,
      ];
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

function openCheckpoints(
  services: OpenServices,
  { dataDir }: Config,
): ReturnType<typeof startCheckpoints> | null {
  const { auditSigner: signer } = services;
  return signer === null ? null : startCheckpoints({ ...services, signer, dataDir });
}

async function reviveDatabase({ embedded, database, live, log }: OpenServices): Promise<void> {
  if (embedded === null) return;
  try {
    if (!(await embedded.ensureRunning())) return;
    // Its old port may have been taken.
    database.moveTo(embedded.url);
    live.moveTo(embedded.url);
    log.warn("the embedded database had stopped and was restarted");
  } catch (error) {
    log.error({ err: error }, "the embedded database can't be restarted");
  }
}

async function tryNotePresence(services: OpenServices): Promise<void> {
  try {
    await notePresence(services, services.now);
  } catch (error) {
    services.log.debug({ err: error }, "connected agents could not be recorded; the next run will retry");
  }
}

function createMailboxCleanup(dataDir: string): Cleanup {
  async function deleteBatch(): Promise<BatchResult> {
    return { deleted: await deleteOldMail(dataDir), hasMore: false };
  }
  return { name: "mailbox", find: () => Promise.resolve([{ workspaceId: null, run: deleteBatch }]) };
}
