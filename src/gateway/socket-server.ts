import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { handleProtocols } from "graphql-ws";
import { type ServerOptions, type WebSocket, WebSocketServer } from "ws";
import { v7 as uuidv7 } from "uuid";
import type { VisitorServices } from "../auth/identify.ts";
import type { ClientAddress } from "../http/client-address.ts";
import { CLOSINGS } from "../live/closings.ts";
import type { Connections } from "../live/connections.ts";
import type { Feeds } from "../live/feeds.ts";
import type { LiveMetrics } from "../live/metrics.ts";
import { createBodyTurns } from "../http/body-turns.ts";
import { createFramePace } from "./frame-pace.ts";
import { createSocketAuth } from "./socket-auth.ts";
import { createProtocolSocket } from "./protocol-socket.ts";
import { type SocketConnection, type SocketRequest, createConnection } from "./socket-connection.ts";
import type { OperationLimits } from "./operation-limits.ts";
import { createOperations } from "./socket-operations.ts";
import { createUnauthenticatedSockets } from "./unauthenticated-sockets.ts";
import { type UpgradeRules, createUpgradeGuard, refuseUpgrade } from "./upgrade-guard.ts";
import { canBypassWs } from "./ws-bypass.ts";

export type SocketServer = {
  upgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => void;
  /** Accepts no more sockets and closes the open ones in groups, so that they don't all reconnect at once. */
  drain: () => Promise<void>;
};

/** The services of the socket server. */
export type SocketServices = {
  services: VisitorServices;
  connections: Connections;
  feeds: Feeds;
  metrics: Pick<LiveMetrics, "sockets" | "buffered" | "closed">;
  limits: OperationLimits;
  clientAddress: ClientAddress;
  /** Records that the agents of these sockets are connected. */
  noteSeen: (connections: readonly SocketConnection[]) => void;
};

const MESSAGE_BYTES = 65_536;
const TICK_MS = 1000;
const DRAIN = { share: 0.05, atLeast: 50, everyMs: 500, longestMs: 20_000 };
const MAX_USER_AGENT = 400;
/** Close codes that clients may use start here. Ours are in that range. */
const FIRST_OF_CLIENTS = 3000;
const OWN_CODES = new Set([4290, 4400, 4401, 4403, 4406, 4408, 4409, 4429]);

/** The types of ws lack some of its options. */
const OPTIONS: ServerOptions & { maxFragments: number; maxBufferedChunks: number; closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  maxPayload: MESSAGE_BYTES,
  maxFragments: 256,
  maxBufferedChunks: 1024,
  perMessageDeflate: false,
  // Handles one frame per socket and event loop turn, even if many have arrived.
  allowSynchronousEvents: false,
  closeTimeout: 1000,
  handleProtocols: (offered) => handleProtocols(offered),
};

/** Accepts WebSockets on /graphql with the subprotocol graphql-transport-ws. */
export function createSocketServer(rules: UpgradeRules, socketServices: SocketServices): SocketServer {
  const { services, connections, limits, feeds, metrics } = socketServices;
  const { log } = services;
  const [server, open] = [new WebSocketServer(OPTIONS), new Set<SocketConnection>()];
  const auth = createSocketAuth(services, connections);
  const startConnection = createConnectionStarter(socketServices);
  const unauthenticated = createUnauthenticatedSockets();
  const shared = { pace: createFramePace(), takeTurn: createBodyTurns(), rateLimit: limits.rateLimit, log };
  const operations = createOperations({ auth, feeds, limits, log, admitted });
  const guard = createUpgradeGuard(rules);
  const timer = startTicks(open, metrics);
  let draining = false;

  function admitted(connection: SocketConnection): void {
    unauthenticated.leave(connection);
    noteOpened(socketServices, connection);
  }

  function opened(socket: WebSocket, request: IncomingMessage, stream: Duplex): void {
    const connection = startConnection(socket, stream, request);
    open.add(connection);
    unauthenticated.enter(connection);
    connections.enter(connection);
    auth.opened(connection);
    const closed = operations.opened(createProtocolSocket(socket, connection, shared), { connection });
    stream.on("drain", () => resumeSubscriptions(connection, feeds));
    socket.on("error", (error) => log.debug({ err: error }, "a socket violated the protocol"));
    socket.once("close", (code, reason) => {
      open.delete(connection);
      unauthenticated.leave(connection);
      noteClosed(socketServices, connection, code);
      closed(code, reason.toString()).catch((error: unknown) => {
        log.error({ err: error }, "a closed socket could not be cleaned up");
      });
    });
  }

  return {
    upgrade: (request, stream, head) => {
      stream.on("error", ignore);
      const errorStatus = draining ? 503 : guard(request);
      if (errorStatus !== null) return refuseUpgrade(stream, errorStatus);
      server.handleUpgrade(request, stream, head, (socket) => opened(socket, request, stream));
    },
    drain: async () => {
      draining = true;
      await drainSockets(open);
      clearInterval(timer);
    },
  };
}

function createConnectionStarter({ services, clientAddress }: SocketServices) {
  const getAddress = createAddressReader(clientAddress);
  const bypassesWs = canBypassWs(OPTIONS);
  if (!bypassesWs)
    services.log.warn("this version of ws can't be bypassed: delivering events takes more CPU time");
  return (socket: WebSocket, stream: Duplex, request: IncomingMessage): SocketConnection =>
    createConnection(socket, stream, {
      request: toSocketRequest(request, getAddress(request)),
      isTrusted: services.live.isTrusted,
      bypassesWs,
    });
}

/** Resumes subscriptions that were waiting for the send buffer to empty. */
function resumeSubscriptions({ operations }: SocketConnection, feeds: Feeds): void {
  for (const subscription of operations.values()) if (subscription !== null) feeds.onDrain(subscription);
}

/** Shared: a closure would keep its request in memory as long as the socket. */
function ignore(): void {}

function startTicks(
  open: ReadonlySet<SocketConnection>,
  metrics: Pick<LiveMetrics, "sockets" | "buffered">,
): NodeJS.Timeout {
  return setInterval(() => {
    const nowMs = performance.now();
    const principals = { user: 0, agent: 0, unauthenticated: 0 };
    let buffered = 0;
    for (const connection of open) {
      connection.tick(nowMs);
      principals[connection.identity?.kind ?? "unauthenticated"]++;
      buffered += connection.buffered();
    }
    for (const [principal, count] of Object.entries(principals)) metrics.sockets.set({ principal }, count);
    metrics.buffered.set(buffered);
  }, TICK_MS).unref();
}

function noteOpened({ services, noteSeen }: SocketServices, connection: SocketConnection): void {
  noteSeen([connection]);
  services.log.info(toLogFields(connection), "a socket was opened");
}

function noteClosed(
  { services, connections, metrics, noteSeen }: SocketServices,
  connection: SocketConnection,
  seen: number,
): void {
  // The other side may never have received our close frame.
  const code = connection.closedAs() ?? seen;
  metrics.closed.inc({ code: OWN_CODES.has(code) || code < FIRST_OF_CLIENTS ? code : "other" });
  connections.leave(connection);
  if (connection.identity === null) return;
  noteSeen([connection]);
  services.log.info({ ...toLogFields(connection), code }, "a socket was closed");
}

async function drainSockets(open: ReadonlySet<SocketConnection>): Promise<void> {
  const batch = Math.max(DRAIN.atLeast, Math.ceil(open.size * DRAIN.share));
  const latestMs = performance.now() + DRAIN.longestMs;
  while (open.size > 0 && performance.now() < latestMs) {
    const next = [...open].filter((connection) => !connection.isGone()).slice(0, batch);
    for (const connection of next) connection.close(CLOSINGS.restarting);
    await waitUntilClosed(open, DRAIN.everyMs);
  }
  for (const connection of open) connection.kill(CLOSINGS.restarting);
}

/** Waits until all sockets are closed, at most this long. */
async function waitUntilClosed(open: ReadonlySet<SocketConnection>, ms: number): Promise<void> {
  const untilMs = performance.now() + ms;
  while (open.size > 0 && performance.now() < untilMs) await pause(10);
}

/** Adapts a ClientAddress to upgrade requests. */
function createAddressReader(clientAddress: ClientAddress): (request: IncomingMessage) => string | null {
  return (request) => {
    function header(name: string): string | undefined {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    }
    return clientAddress({ env: { incoming: request }, req: { header } });
  };
}

function toSocketRequest({ headers }: IncomingMessage, ip: string | null): SocketRequest {
  return {
    requestId: uuidv7(),
    ip,
    userAgent: headers["user-agent"]?.slice(0, MAX_USER_AGENT) ?? null,
    cookie: headers.cookie ?? "",
  };
}

function toLogFields({ id, identity, request }: SocketConnection): object {
  const { workspaceId, kind } = identity ?? {};
  return { socket: id, requestId: request.requestId, workspaceId, kind, ip: request.ip };
}
