import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A proxy between browsers and a server that can interrupt connections. */
export type TestNetwork = {
  /** The server's URL through the proxy. */
  url: string;
  /** Sets the server behind the proxy. */
  leadTo: (serverUrl: string) => void;
  /** Closes all connections, and rejects new ones. */
  cut: () => void;
  /** Accepts connections again. */
  mend: () => void;
  close: () => Promise<void>;
};

/** Opens a proxy without a server yet, as a server may need its URL before it starts. */
export async function openNetwork(): Promise<TestNetwork> {
  let target: URL | null = null;
  const open = new Set<Socket>();
  let isCut = false;

  function keep(socket: Socket): void {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  }

  const server = createServer((incoming) => {
    keep(incoming);
    if (isCut || target === null) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(Number(target.port), target.hostname);
    keep(outgoing);
    incoming.on("close", () => outgoing.destroy());
    outgoing.on("close", () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server listening on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo: (serverUrl) => {
      target = new URL(serverUrl);
    },
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
