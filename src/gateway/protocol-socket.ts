import type { WebSocket as ProtocolSocket } from "graphql-ws";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import type { SocketConnection } from "./socket-connection.ts";

/** Messages, pings and pongs that a socket sends in a second; what comes faster waits at its sender's. */
const FRAMES_PER_SECOND = 200;
const SECOND_MS = 1000;

/** A socket as graphql-ws knows it. What it says after it was closed is not heard. */
export function protocolSocket(socket: WebSocket, connection: SocketConnection, log: Logger): ProtocolSocket {
  const count = createCount(socket);
  socket.on("ping", count);
  socket.on("pong", count);
  return {
    protocol: socket.protocol,
    send: connection.send,
    close: (code = 1000, reason = "") => connection.close({ code, reason }),
    onMessage: (hear) => {
      socket.on("message", (data: Buffer) => {
        if (connection.isGone()) return;
        count();
        hear(data.toString()).catch((error: unknown) => {
          log.error({ err: error }, "a socket's message failed");
          connection.close({ code: 1011, reason: "internal" });
        });
      });
    },
  };
}

/** Counts frames, and reads no more of them for a second where one has brought too many. */
function createCount(socket: WebSocket): () => void {
  let sinceMs = performance.now();
  let heard = 0;
  return () => {
    const nowMs = performance.now();
    if (nowMs - sinceMs > SECOND_MS) [sinceMs, heard] = [nowMs, 0];
    if (++heard !== FRAMES_PER_SECOND) return;
    socket.pause();
    setTimeout(() => socket.resume(), SECOND_MS).unref();
  };
}
