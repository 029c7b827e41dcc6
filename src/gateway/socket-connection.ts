import type { Ctx } from "../domain/kernel/context.ts";
import { eventCursor } from "../domain/kernel/cursors.ts";
import { type Closing, CLOSINGS, formatCloseReason } from "../live/closings.ts";
import type { LiveConnection } from "../live/connections.ts";
import type { Subscription } from "../live/subscription.ts";
import { createHeartbeat } from "./socket-heartbeat.ts";
import { createTextWriter } from "./ws-bypass.ts";
import { setMaxListeners } from "node:events";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** Information about the upgrade request. */
export type SocketRequest = {
  requestId: string;
  ip: string | null;
  userAgent: string | null;
  cookie: string;
};

/** A socket with its subscriptions and its send buffer. */
export type SocketConnection = LiveConnection & {
  request: SocketRequest;
  /** Creates the context of one operation. Null before authentication. */
  openCtx: (() => Ctx) | null;
  /**
   * Subscriptions by operation id; null for other operations. Includes operations that were completed by
   * the client but have not ended yet.
   */
  operations: Map<string, Subscription | null>;
  /** Callbacks that release an operation's resources, by its id. All are called when the socket closes. */
  held: Map<string, () => void>;
  /** Called when an operation has ended. */
  over: (id: string) => void;
  /** Aborted when the socket ends, for any reason. */
  ended: AbortSignal;
  /** Whether we have closed it. Later messages are ignored. */
  isGone: () => boolean;
  /** The code with which we closed it, even if the other side has not received it. */
  closedAs: () => number | null;
  /** Bytes in the send buffer. */
  buffered: () => number;
  /** Whether the send buffer is not being emptied. Events then stay in the log. */
  isFull: () => boolean;
  send: (text: string) => void;
  /** Sends each body between `before` and `}` as a text frame of its own. */
  sendBodies: (before: Buffer, bodies: readonly Buffer[]) => void;
  close: (closing: Closing) => void;
  /** Called about every second: checks for slow readers and dead connections. */
  tick: (nowMs: number) => void;
};

/** The time after a close until the connection is destroyed, even if the other side has not answered. */
const TEAR_DOWN_MS = { revoked: 30, closed: 1000 };
/** The largest send buffer in bytes. Above it the socket is closed. */
const MOST_BUFFERED = 1_048_576;
const LONGEST_MS = 86_400_000;

/** The input of {@link createConnection}. */
export type ConnectionStart = {
  request: SocketRequest;
  /**
   * Whether this node's knowledge of revocations is current. If not, all sockets are about to be closed, so
   * it is checked for every message and frame.
   */
  isTrusted: () => boolean;
  /** Whether events are written without ws: see `canBypassWs`. */
  bypassesWs: boolean;
};

/** Creates the connection of a socket that was just opened. */
export function createConnection(
  socket: WebSocket,
  stream: Duplex,
  { request, isTrusted, bypassesWs }: ConnectionStart,
): SocketConnection {
  const writeTexts = createTextWriter(socket, stream, bypassesWs);
  const isTooSlow = createFlowWatch(stream);
  const heartbeat = createHeartbeat(socket, () => connection.openCtx !== null);
  const ending = createCloseController(socket, () => connection);
  let closedAs: number | null = null;

  function isGone(): boolean {
    isTrusted();
    return closedAs !== null;
  }

  /** Closes the socket if its send buffer is too large. */
  function takesMore(): boolean {
    if (isGone() || socket.readyState !== socket.OPEN) return false;
    if (stream.writableLength > MOST_BUFFERED) end(buildSlowClosing(connection), TEAR_DOWN_MS.closed);
    return closedAs === null;
  }

  function end(closing: Closing, tearDownMs: number): void {
    if (closedAs !== null) return;
    closedAs = closing.code;
    ending.abort();
    closeWithin(tearDownMs, socket, closing);
  }

  const connection: SocketConnection = {
    ...createInitialState(request, ending.signal),
    isGone,
    closedAs: () => closedAs,
    buffered: () => stream.writableLength,
    isFull: () => stream.writableNeedDrain,
    send: (text) => {
      if (takesMore()) socket.send(text);
    },
    sendBodies: (before, bodies) => void (takesMore() && writeTexts(before, bodies)),
    over: (id) => {
      connection.operations.delete(id);
      connection.held.get(id)?.();
      connection.held.delete(id);
    },
    close: (closing) => end(closing, TEAR_DOWN_MS.closed),
    kill: (closing) => end(closing, TEAR_DOWN_MS.revoked),
    tick: (nowMs) => {
      if (isTooSlow(nowMs)) end(buildSlowClosing(connection), TEAR_DOWN_MS.closed);
      heartbeat(!isGone() && socket.readyState === socket.OPEN, nowMs);
    },
  };
  return connection;
}

/** Aborts everything that a connection does when its socket closes. */
function createCloseController(socket: WebSocket, getConnection: () => SocketConnection): AbortController {
  const ending = new AbortController();
  // One listener for each operation that waits.
  setMaxListeners(0, ending.signal);
  socket.once("close", () => {
    ending.abort();
    const { held, over } = getConnection();
    for (const id of held.keys()) over(id);
  });
  return ending;
}

function createInitialState(
  request: SocketRequest,
  ended: AbortSignal,
): Pick<
  SocketConnection,
  "id" | "identity" | "endsAtMs" | "request" | "openCtx" | "operations" | "held" | "ended"
> {
  return {
    id: request.requestId,
    identity: null,
    request,
    openCtx: null,
    ended,
    // A day at most, with some variation between sockets.
    endsAtMs: performance.now() + LONGEST_MS * (1 - Math.random() / 10),
    operations: new Map(),
    held: new Map(),
  };
}

function closeWithin(ms: number, socket: WebSocket, closing: Closing): void {
  socket.close(closing.code, formatCloseReason(closing));
  setTimeout(() => socket.terminate(), ms).unref();
}

/** Gives the cursor to resume from. */
function buildSlowClosing({ operations }: SocketConnection): Closing {
  const subscription = [...operations.values()].find((one) => one !== null);
  const at = subscription?.at;
  return CLOSINGS.slow(at === undefined ? "" : eventCursor(at.epoch, BigInt(at.seq)));
}

/** How long nothing, and how long not all, of the send buffer may stay unsent before a socket is too slow. */
const STUCK_MS = 15_000;
const FULL_MS = 60_000;

/** Returns a function, called about every second, that tells whether the other side reads too slowly. */
function createFlowWatch(stream: Duplex): (nowMs: number) => boolean {
  let before = 0;
  let movedMs = performance.now();
  let fullSinceMs: number | null = null;
  stream.on("drain", () => {
    fullSinceMs = null;
  });
  return (nowMs) => {
    const { writableLength: waits, writableNeedDrain: isFull } = stream;
    if (waits === 0 || waits < before) movedMs = nowMs;
    before = waits;
    fullSinceMs = isFull ? (fullSinceMs ?? nowMs) : null;
    return nowMs - movedMs > STUCK_MS || (fullSinceMs !== null && nowMs - fullSinceMs > FULL_MS);
  };
}
