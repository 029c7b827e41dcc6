import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** Stands between a server and its database, and can cut them off from each other. */
export type DatabaseProxy = {
  /** The database, by way of the proxy. */
  url: string;
  /** Passes nothing either way any more, and ends nothing, as a network that loses everything. */
  stall: (which?: string) => void;
  /** Ends everything and takes nothing more, as a database that has gone. */
  cut: () => void;
  /** Passes everything again, also what came meanwhile. */
  mend: () => void;
  close: () => Promise<void>;
};

type Pair = { sockets: [Socket, Socket]; name: string };

/**
 * Opens a proxy to the database of a URL. What is stalled is everything, or the connections whose
 * application_name is `which`.
 */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let stalled: ((pair: Pair) => boolean) | null = null;
  let isCut = false;

  function pass({ sockets: [one, other] }: Pair): void {
    one.pipe(other);
    other.pipe(one);
  }

  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy();
    // The first message tells the application_name.
    incoming.once("data", (startup: Buffer) => {
      incoming.pause();
      const outgoing = connect(Number(target.port), target.hostname);
      const name = /application_name\0([^\0]*)\0/.exec(startup.toString("latin1"))?.[1] ?? "";
      const pair: Pair = { sockets: [incoming, outgoing], name };
      pairs.add(pair);
      outgoing.write(startup);
      for (const socket of pair.sockets) {
        socket.on("error", () => {});
        socket.on("close", () => {
          for (const each of pair.sockets) each.destroy();
          pairs.delete(pair);
        });
      }
      if (stalled?.(pair) !== true) pass(pair);
    });
    incoming.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  // A server that listens on a TCP port has such an address.
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    stall: (which) => {
      stalled = ({ name }) => which === undefined || name === which;
      for (const pair of pairs) {
        if (!stalled(pair)) continue;
        for (const socket of pair.sockets) socket.unpipe().pause();
      }
    },
    cut: () => {
      isCut = true;
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
      // What was not stalled would get everything twice.
      for (const pair of pairs) if (stalled?.(pair) === true) pass(pair);
      stalled = null;
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
