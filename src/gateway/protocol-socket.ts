import type { WebSocket as ProtocolSocket } from "graphql-ws";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import { CLOSINGS } from "../live/closings.ts";
import type { FramePace } from "./frame-pace.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** What a socket may say before it is known whose it is: its token is in it. */
const UNAUTHENTICATED = { messages: 10, bytes: 4096 };
const SECOND_MS = 1000;
/** Only servers send these; graphql-ws takes them for a fault of ours. */
const ANSWERS = new Set<unknown>(["connection_ack", "next", "error"]);

/** What protocol sockets work with. */
export type ProtocolServices = { pace: FramePace; log: Logger };

/** A socket as graphql-ws knows it. What it says after it was closed is not heard. */
export function createProtocolSocket(
  socket: WebSocket,
  connection: SocketConnection,
  { pace, log }: ProtocolServices,
): ProtocolSocket {
  const count = pauseOnExcess(socket, ({ length }) => pace.heard(connection, length));
  const saysTooMuch = limitUnauthenticated(connection);
  socket.on("ping", count);
  socket.on("pong", count);
  return {
    protocol: socket.protocol,
    send: connection.send,
    close: (code = 1000, reason = "") => connection.close({ code, reason }),
    onMessage: (hear) => {
      socket.on("message", (data: Buffer) => {
        if (connection.isGone()) return;
        count(data);
        if (saysTooMuch(data)) return connection.close(CLOSINGS.badRequest);
        const text = data.toString();
        hear(text).catch((error: unknown) => {
          if (isAnswer(text)) return connection.close(CLOSINGS.badRequest);
          log.error({ err: error }, "a socket's message failed");
          connection.close({ code: 1011, reason: "internal" });
        });
      });
    },
  };
}

/** Counts frames, and reads no more of them for a second where one was too many. */
function pauseOnExcess(socket: WebSocket, isTooMuch: (data: Buffer) => boolean): (data: Buffer) => void {
  let isPaused = false;
  return (data) => {
    if (!isTooMuch(data) || isPaused) return;
    isPaused = true;
    socket.pause();
    setTimeout(() => {
      isPaused = false;
      socket.resume();
    }, SECOND_MS).unref();
  };
}

/** Tells of each message whether it is too much from somebody of whom nothing is known yet. */
function limitUnauthenticated(connection: SocketConnection): (data: Buffer) => boolean {
  let [messages, bytes] = [0, 0];
  return ({ length }) => {
    if (connection.identity !== null) return false;
    messages++;
    bytes += length;
    return messages > UNAUTHENTICATED.messages || bytes > UNAUTHENTICATED.bytes;
  };
}

function isAnswer(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null && "type" in message && ANSWERS.has(message.type);
  } catch {
    return false;
  }
}
