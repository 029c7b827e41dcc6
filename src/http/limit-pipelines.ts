import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The most requests of one connection that are not answered, and how many of all connections wait for those before. */
export type OpenRequests = { connection: number; waiting: number };

/**
 * Limits the memory of requests that clients send without waiting for the answers before them: Node reads all that
 * arrive. A connection whose request is above a limit is closed. Clients that wait for each answer are not affected.
 */
export function limitPipelines(server: Server, limits: OpenRequests): void {
  const open = new Map<Socket, number>();
  let waiting = 0;

  function change(socket: Socket, by: 1 | -1): void {
    const before = open.get(socket) ?? 0;
    set(socket, before, before + by);
  }

  /** Only the first one of a connection doesn't wait. */
  function set(socket: Socket, before: number, after: number): void {
    waiting += Math.max(0, after - 1) - Math.max(0, before - 1);
    if (after === 0) open.delete(socket);
    else open.set(socket, after);
  }

  server.on("connection", (socket: Socket) => {
    socket.once("close", () => set(socket, open.get(socket) ?? 0, 0));
  });
  server.on("request", ({ socket }, response) => {
    // What else has arrived is read although the connection is closed.
    if (socket.destroyed) return;
    change(socket, 1);
    response.once("close", () => {
      if (open.has(socket)) change(socket, -1);
    });
    const own = open.get(socket) ?? 0;
    if (own > limits.connection || (own > 1 && waiting > limits.waiting)) socket.destroy();
  });
}
