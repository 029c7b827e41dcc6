import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { AuthenticatedCaller } from "./request.ts";

/** How long a connection may be idle, and the most bytes that all unsent answers may hold. */
export type Unread = { timeoutMs: number; maxBytes: number };

/** The unsent answers of one credential: bytes per connection, oldest answer first. */
type Reader = { group: string; bytes: number; unsent: Map<Socket, number> };

const GROUPS = new WeakMap<ServerResponse, string>();

/**
 * Charges an answer to the agents, the people or the identity provider of a workspace. Without this, it is
 * charged to all unauthenticated callers together.
 */
export function chargeAnswer(answer: ServerResponse, { actor, workspaceId }: AuthenticatedCaller): void {
  GROUPS.set(answer, `${actor.type} ${workspaceId}`);
}

/**
 * Limits the memory held by unsent answers. Closes connections that read nothing for a while. Above the
 * total limit, closes the oldest answer of the group that holds the most, and in it of the credential that
 * does.
 */
export function limitUnsentAnswers(server: Server, log: Logger, { timeoutMs, maxBytes }: Unread): void {
  const readers = new Map<string, Reader>();
  let total = 0;

  function enter(who: string, group: string, socket: Socket): void {
    const reader = readers.get(who) ?? { group, bytes: 0, unsent: new Map() };
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
      const [who, { unsent }] = findLargest(readers);
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
      const group = GROUPS.get(answer) ?? "";
      const who = `${group} ${credentialIn(request)}`;
      enter(who, group, socket);
      answer.once("close", () => leave(who, socket));
      makeRoom();
    });
  });
}

/** Returns the largest reader of the largest group. */
function findLargest(readers: ReadonlyMap<string, Reader>): [string, Reader] {
  const sums = new Map<string, number>();
  for (const { group, bytes } of readers.values()) sums.set(group, (sums.get(group) ?? 0) + bytes);
  const [largest] = [...sums].reduce((most, one) => (one[1] > most[1] ? one : most));
  const own = [...readers].filter(([, { group }]) => group === largest);
  return own.reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most));
}

function credentialIn({ headers }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? "";
}
