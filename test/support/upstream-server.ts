import { type RequestListener, type Server, createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A server that requests are sent to. */
export type UpstreamServer = {
  /** `http://127.0.0.1:…` */
  url: string;
  port: number;
  /** How many connections it got. */
  connections: () => number;
  close: () => Promise<void>;
};

/** Starts a server on loopback. @param listen another address to listen on. */
export async function startUpstreamServer(
  answer: RequestListener | { onConnection: (socket: Socket) => void },
  host = "127.0.0.1",
): Promise<UpstreamServer> {
  let count = 0;
  const server: Server = typeof answer === "function" ? createServer(answer) : createServer();
  if (typeof answer !== "function") server.removeAllListeners("connection");
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    count++;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    if (typeof answer !== "function") answer.onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    connections: () => count,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
