import type { Ctx } from "../domain/kernel/context.ts";
import { eventCursor } from "../domain/kernel/page.ts";
import { type Closing, CLOSINGS, formatCloseReason } from "../live/closings.ts";
import type { LiveConnection } from "../live/connections.ts";
import type { Subscription } from "../live/subscription.ts";
import { createHeartbeat } from "./socket-heartbeat.ts";
import { createTextWriter } from "./ws-bypass.ts";
import { setMaxListeners } from "node:events";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** What is known of the request that a socket came from. */
export type SocketRequest = {
  requestId: string;
  ip: string | null;
  userAgent: string | null;
  cookie: string;
};

/** A socket, what it is subscribed to and what waits to be sent on it. */
export type SocketConnection = LiveConnection & {
  request: SocketRequest;
  /** Opens the context of one operation; null until it is known whose the socket is. */
  openCtx: (() => Ctx) | null;
  /**
   * The operations that run by their ids, also those that the client has completed and that still end, with what
   * they subscribe to.
   */
  operations: Map<string, Subscription | null>;
  /** What gives back what an operation holds, by its id. All of it is given back when the socket closes. */
  held: Map<string, () => void>;
  /** Told that an operation has ended. */
  over: (id: string) => void;
  /** Given when it ends, whoever ends it. */
  ended: AbortSignal;
  /** Whether it was closed by us: nothing that it sends counts any more. */
  isGone: () => boolean;
  /** The code that it was closed with by us, whatever of that has reached the other side. */
  closedAs: () => number | null;
  /** Bytes that wait to be sent. */
  buffered: () => number;
  /** Whether something waits to be sent that the other side does not take: events then wait in the log. */
  isFull: () => boolean;
  send: (text: string) => void;
  /** Sends each body between `before` and `}` as a text of its own. */
  sendBodies: (before: Buffer, bodies: readonly Buffer[]) => void;
  close: (closing: Closing) => void;
  /** Told about every second: whether it takes what is sent, and whether somebody is there. */
  tick: (nowMs: number) => void;
};

/** After which a socket that was closed is torn down, whether or not the other side agrees. */
const TEAR_DOWN_MS = { revoked: 30, closed: 1000 };
/** Bytes that wait to be sent: with more than these the socket ends. */
const MOST_BUFFERED = 1_048_576;
const LONGEST_MS = 86_400_000;

/** What a connection begins with. */
export type ConnectionStart = {
  request: SocketRequest;
  /**
   * Whether this node knows of what was revoked. Where not, it has every socket closed before it answers, so it is
   * asked at every message and every frame.
   */
  isTrusted: () => boolean;
  /** Whether events are written beside ws: `canBypassWs`. */
  bypassesWs: boolean;
};

/** Makes the connection of a socket that was just opened. */
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

  /** Where too much waits already it ends instead. */
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

/** What ends everything that a connection does when its socket closes. */
function createCloseController(socket: WebSocket, getConnection: () => SocketConnection): AbortController {
  const ending = new AbortController();
  // As many as have operations that wait.
  setMaxListeners(0, ending.signal);
  socket.once("close", () => {
    ending.abort();
    const { held, over } = getConnection();
    for (const id of held.keys()) over(id);
  });
  return ending;
}

/** What a connection holds when it begins. */
function createInitialState(
  request: SocketRequest,
  ended: AbortSignal,
): Pick<
  SocketConnection,
  "id" | "identity" | "endsAtMs" | "request" | "openCtx" | "operations" | "held" | "ended"
> {
  return {
    ...{ id: request.requestId, identity: null, request, openCtx: null, ended },
    // A day at most, and not all at the same time of the day.
    endsAtMs: performance.now() + LONGEST_MS * (1 - Math.random() / 10),
    ...{ operations: new Map(), held: new Map() },
  };
}

function closeWithin(ms: number, socket: WebSocket, closing: Closing): void {
  socket.close(closing.code, formatCloseReason(closing));
  setTimeout(() => socket.terminate(), ms).unref();
}

/** Tells where to go on. */
function buildSlowClosing({ operations }: SocketConnection): Closing {
  const subscription = [...operations.values()].find((one) => one !== null);
  const at = subscription?.at;
  return CLOSINGS.slow(at === undefined ? "" : eventCursor(at.epoch, BigInt(at.seq)));
}

/** How long nothing of what waits is sent, and how long not all of it, before a socket is too slow. */
const STUCK_MS = 15_000;
const FULL_MS = 60_000;

/** Tells, asked about every second, whether the other side of a stream is too slow to keep. */
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
