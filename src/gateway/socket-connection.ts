import { setMaxListeners } from "node:events";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Ctx } from "../domain/context.ts";
import { type Closing, CLOSINGS, reasonOf } from "../live/closings.ts";
import type { Connection } from "../live/connections.ts";
import type { Subscription } from "../live/subscription.ts";
import { eventCursor } from "../domain/page.ts";
import { BUFFERED, createFlowWatch } from "./socket-flow.ts";
import { createPulse } from "./socket-pulse.ts";
import { textFrames } from "./text-frames.ts";

/** What is known of the request that a socket came from. */
export type SocketRequest = {
  requestId: string;
  ip: string | null;
  userAgent: string | null;
  cookie: string;
};

/** A socket, what it is subscribed to and what waits to be sent on it. */
export type SocketConnection = Connection & {
  request: SocketRequest;
  /** Opens the context of one operation; null until it is known whose the socket is. */
  openCtx: (() => Ctx) | null;
  /**
   * The operations that run by their ids, also those that the client has completed and that still end, with what
   * they subscribe to.
   */
  operations: Map<string, Subscription | null>;
  /** Given when it ends, whoever ends it. */
  ended: AbortSignal;
  /** Whether it was closed by us: nothing that it sends counts any more. */
  isGone: () => boolean;
  /** Bytes that wait to be sent. */
  buffered: () => number;
  /** Whether so much waits to be sent that no events should be added. */
  isFull: () => boolean;
  send: (text: string) => void;
  /** Sends each body between `before` and `after` as a text of its own, all in one write. */
  sendBodies: (before: Buffer, bodies: readonly Buffer[]) => void;
  close: (closing: Closing) => void;
  /** Told about every second: whether it takes what is sent, and whether somebody is there. */
  tick: (nowMs: number) => void;
};

/** After which a socket that was closed is torn down, whether or not the other side agrees. */
const TEAR_DOWN_MS = { revoked: 200, closed: 1000 };
const LONGEST_MS = 86_400_000;
const AFTER = Buffer.from("}");

/** Makes the connection of a socket that was just opened. */
export function createConnection(
  socket: WebSocket,
  stream: Duplex,
  request: SocketRequest,
): SocketConnection {
  const isTooSlow = createFlowWatch();
  const pulse = createPulse(socket, () => connection.openCtx !== null);
  const ending = new AbortController();
  // As many as have operations that wait.
  setMaxListeners(0, ending.signal);
  socket.once("close", () => ending.abort());
  let gone = false;

  function isOpen(): boolean {
    return !gone && socket.readyState === socket.OPEN;
  }

  function end(closing: Closing, tearDownMs: number): void {
    if (gone) return;
    gone = true;
    ending.abort();
    socket.close(closing.code, reasonOf(closing));
    setTimeout(() => socket.terminate(), tearDownMs).unref();
  }

  const connection: SocketConnection = {
    id: request.requestId,
    identity: null,
    // A day at most, and not all at the same time of the day.
    endsAtMs: performance.now() + LONGEST_MS * (1 - Math.random() / 10),
    request,
    openCtx: null,
    operations: new Map(),
    ended: ending.signal,
    isGone: () => gone,
    buffered: () => stream.writableLength,
    isFull: () => stream.writableLength > BUFFERED.full,
    send: (text) => {
      if (!isOpen()) return;
      if (stream.writableLength > BUFFERED.most) end(slowClosing(connection), TEAR_DOWN_MS.closed);
      else socket.send(text);
    },
    sendBodies: (before, bodies) => {
      // Without compression ws itself writes each frame at once and whole, so ours stand between its own.
      if (isOpen()) stream.write(textFrames(before, bodies, AFTER));
    },
    close: (closing) => end(closing, TEAR_DOWN_MS.closed),
    kill: (closing) => end(closing, TEAR_DOWN_MS.revoked),
    tick: (nowMs) => {
      if (isTooSlow(stream.writableLength, nowMs)) end(slowClosing(connection), TEAR_DOWN_MS.closed);
      pulse(isOpen(), nowMs);
    },
  };
  return connection;
}

/** Tells where to go on. */
function slowClosing({ operations }: SocketConnection): Closing {
  const subscription = [...operations.values()].find((one) => one !== null);
  const at = subscription?.at;
  return CLOSINGS.slow(at === undefined ? "" : eventCursor(at.epoch, BigInt(at.seq)));
}
