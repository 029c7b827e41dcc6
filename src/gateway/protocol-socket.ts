import type { WebSocket as ProtocolSocket } from "graphql-ws";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import { credentialId } from "../domain/kernel/actor.ts";
import type { TakeBodyTurn } from "../http/body-turns.ts";
import { BYTES_PER_REQUEST, type RateLimit } from "../http/rate-limit.ts";
import { CLOSINGS } from "../live/closings.ts";
import type { FramePace } from "./frame-pace.ts";
import { createMessageQueue } from "./message-queue.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** Limits before authentication. The token is in the first message. */
const UNAUTHENTICATED = { messages: 10, bytes: 4096 };
const SECOND_MS = 1000;
/** Shorter messages cost less than one more request. A character has at most 3 bytes of UTF-8. */
const PRICED_LENGTH = BYTES_PER_REQUEST / 3;
/** Only servers send these. graphql-ws would report them as our own error. */
const ANSWERS = new Set<unknown>(["connection_ack", "next", "error"]);

/** The services of protocol sockets. */
export type ProtocolServices = {
  pace: FramePace;
  rateLimit: RateLimit;
  log: Logger;
  /** Spreads large messages of all sockets over turns of the event loop. */
  takeTurn: TakeBodyTurn;
};

/** Adapts a WebSocket to graphql-ws. Messages after a close are ignored. */
export function createProtocolSocket(
  socket: WebSocket,
  connection: SocketConnection,
  { pace, rateLimit, log, takeTurn }: ProtocolServices,
): ProtocolSocket {
  const count = pauseOnExcess(socket, ({ length }) => pace.countFrame(connection, length));
  const saysTooMuch = limitUnauthenticated(connection);
  const queue = createMessageQueue((bytes) => takeTurn(getHolder(connection), bytes));
  socket.on("ping", count);
  socket.on("pong", count);
  return {
    protocol: socket.protocol,
    send: (text) => {
      connection.send(text);
      if (text.length < PRICED_LENGTH) return;
      const actor = connection.openCtx?.().actor;
      if (actor !== undefined) rateLimit.chargeBytes(credentialId(actor) ?? "", Buffer.byteLength(text));
    },
    close: (code = 1000, reason = "") => connection.close({ code, reason }),
    onMessage: (hear) => {
      socket.on("message", (data: Buffer) => {
        if (connection.isGone()) return;
        count(data);
        if (saysTooMuch(data)) return connection.close(CLOSINGS.badRequest);
        queue(data.length, () => {
          if (!connection.isGone()) handle(data.toString());
        });
      });

      function handle(text: string): void {
        hear(text).catch((error: unknown) => {
          if (isAnswer(text)) return connection.close(CLOSINGS.badRequest);
          log.error({ err: error }, "a socket message could not be handled");
          connection.close({ code: 1011, reason: "internal" });
        });
      }
    },
  };
}

function getHolder({ identity, request }: SocketConnection): string {
  return identity?.workspaceId ?? `address ${request.ip}`;
}

/** Pauses the socket for a second after a frame for which `isTooMuch` returns true. */
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

/** Tells whether a message exceeds the limits of an unauthenticated connection. */
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
