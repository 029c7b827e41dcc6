import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";

/** For how long a connection may rest, and how much all answers that are not taken yet hold together. */
export type Unread = { timeoutMs: number; maxBytes: number };

/** What the answers to one credential hold: bytes of each connection, those first whose answer was made first. */
type Reader = { bytes: number; unsent: Map<Socket, number> };

/**
 * Bounds what answers hold in memory that their readers have not taken yet: whoever takes nothing for a while is cut
 * off, and where there is too much of it, the credential that holds the most, its oldest answer first.
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
      cutOff(socket, "a slow reader was cut off: what answers hold that nobody takes is too much");
    }
  }

  function cutOff(socket: Socket, why: string): void {
    log.warn({ ip: socket.remoteAddress, unsentBytes: socket.writableLength }, why);
    socket.destroy();
  }

  server.timeout = timeoutMs;
  server.on("timeout", (socket: Socket) => {
    if (socket.writableLength === 0) socket.destroy();
    else cutOff(socket, "a reader was cut off who took nothing of an answer");
  });
  server.on("request", (request, answer) => {
    const { socket } = request;
    // Its last byte is written, and the connection holds what the system did not take of it.
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
