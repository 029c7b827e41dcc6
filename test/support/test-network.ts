import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** Stands between a browser and a server, and can cut them off from each other. */
export type TestNetwork = {
  /** The server, by way of the network. */
  url: string;
  /** Tells which server it leads to. */
  leadTo: (serverUrl: string) => void;
  /** Ends every connection, and refuses new ones. */
  cut: () => void;
  /** Lets new connections through again. */
  mend: () => void;
  close: () => Promise<void>;
};

/** Opens one, which leads nowhere yet: a server may have to know its address before it starts. */
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
  // A server that listens on a TCP port has such an address.
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
