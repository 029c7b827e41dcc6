import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The most connections that wait for their clients, on this node and from one address, which may be a proxy's. */
export type WaitingConnections = { all: number; address: number };

/**
 * Limits the connections that wait for their clients: they have no request, or one that has not arrived. Above a limit,
 * closes the one of the address, or of all, that has waited longest. Connections whose request is being answered, and
 * those that were upgraded, don't count.
 *
 * @param getKey names the address that a client has.
 */
export function limitConnections(
  server: Server,
  limits: WaitingConnections,
  getKey: (ip: string | null) => string,
): void {
  /** In the order in which they began to wait. */
  const all = new Map<Socket, string>();
  const byAddress = new Map<string, Set<Socket>>();
  const requests = new WeakMap<Socket, number>();

  function enter(socket: Socket): void {
    if (socket.destroyed || all.has(socket)) return;
    const key = getKey(socket.remoteAddress ?? null);
    const same = byAddress.get(key) ?? new Set();
    byAddress.set(key, same.add(socket));
    all.set(socket, key);
    if (same.size > limits.address) closeFirst(same);
    if (all.size > limits.all) closeFirst(all.keys());
  }

  function leave(socket: Socket): void {
    const key = all.get(socket);
    if (key === undefined) return;
    all.delete(socket);
    const same = byAddress.get(key);
    same?.delete(socket);
    if (same?.size === 0) byAddress.delete(key);
  }

  function closeFirst([socket]: Iterable<Socket>): void {
    if (socket === undefined) return;
    leave(socket);
    socket.destroy();
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    if (hasBody(request)) request.once("end", () => leave(socket));
    else leave(socket);
    response.once("close", () => {
      const left = (requests.get(socket) ?? 1) - 1;
      requests.set(socket, left);
      if (left === 0) enter(socket);
    });
  }

  server.on("connection", (socket) => {
    // An ignored upgrade begins the same connection again.
    if (!requests.has(socket)) socket.once("close", () => leave(socket));
    requests.set(socket, 0);
    enter(socket);
  });
  server.on("request", answer);
  server.on("upgrade", ({ socket }) => leave(socket));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
