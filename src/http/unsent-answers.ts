import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";

/** How long a connection may be idle, and the most bytes that all unsent answers may hold. */
export type Unread = { timeoutMs: number; maxBytes: number };

/** The unsent answers of one credential: bytes per connection, oldest answer first. */
type Reader = { bytes: number; unsent: Map<Socket, number> };

/**
 * Limits the memory held by unsent answers. Closes connections that read nothing for a while. Above the
 * total limit, closes the oldest answer of the credential that holds the most.
 */
export function limitUnsentAnswers(server: Server, log: Logger, { timeoutMs, maxBytes }: Unread): void {
  const readers = new Map<string, Reader>();
  let total = 0;

  function enter(who: string, socket: Socket): void {
    const reader = readers.get(who) ?? { bytes: 0, unsent: new Map() };
    readers.set(who, reader);
    reader.unsent.set(socket, socket.writableLength);
    reader.bytes += socket.writableLength;
    total += socket.writableLength;
  }

  function leave(who: string, socket: Socket): void {
    const reader = readers.get(who);
    const bytes = reader?.unsent.get(socket);
    if (reader === undefined || bytes === undefined) return;
    reader.unsent.delete(socket);
    reader.bytes -= bytes;
    total -= bytes;
    if (reader.unsent.size === 0) readers.delete(who);
  }

  function makeRoom(): void {
    while (total > maxBytes) {
      const [who, { unsent }] = [...readers].reduce((most, one) =>
        one[1].bytes > most[1].bytes ? one : most,
      );
      const [socket] = unsent.keys();
      if (socket === undefined) return;
      leave(who, socket);
      cutOff(socket, "a slow reader was disconnected: unsent answers hold too much memory");
    }
  }

  function cutOff(socket: Socket, why: string): void {
    log.warn({ ip: socket.remoteAddress, unsentBytes: socket.writableLength }, why);
    socket.destroy();
  }

  server.timeout = timeoutMs;
  server.on("timeout", (socket: Socket) => {
    if (socket.writableLength === 0) socket.destroy();
    else cutOff(socket, "a reader was disconnected: it read nothing of an answer");
  });
  server.on("request", (request, answer) => {
    const { socket } = request;
    // The last byte was written. The connection holds what the system has not accepted.
    answer.once("prefinish", () => {
      if (socket.writableLength === 0) return;
      const who = credentialIn(request);
      enter(who, socket);
      answer.once("close", () => leave(who, socket));
      makeRoom();
    });
  });
}

function credentialIn({ headers }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? "";
}
