import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A proxy between a server and its database that can interrupt connections. */
export type DatabaseProxy = {
  /** The URL of the database through the proxy. */
  url: string;
  /** Stops passing data without closing connections, like a broken network. */
  stall: (which?: string) => void;
  /** Closes all connections and accepts no more, like a stopped database. */
  cut: () => void;
  /** Passes data again, including what arrived meanwhile. */
  mend: () => void;
  /** Returns a function that counts how often servers have sent this text from now on. */
  countSent: (text: string) => () => number;
  close: () => Promise<void>;
};

type Pair = { sockets: [Socket, Socket]; name: string };

/** Opens a proxy to a database. `stall` affects all connections, or those whose application_name is `which`. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  let stalled: ((pair: Pair) => boolean) | null = null;
  let isCut = false;
  const counts = new Map<string, number>();

  function pass({ sockets: [one, other] }: Pair): void {
    one.pipe(other);
    other.pipe(one);
  }

  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy();
    // The first message contains the application_name.
    incoming.once("data", (startup: Buffer) => {
      incoming.pause();
      const outgoing = connect(Number(target.port), target.hostname);
      const name = /application_name\0([^\0]*)\0/.exec(startup.toString("latin1"))?.[1] ?? "";
      const pair: Pair = { sockets: [incoming, outgoing], name };
      pairs.add(pair);
      outgoing.write(startup);
      incoming.on("data", (data: Buffer) => {
        for (const [text, count] of counts) {
          counts.set(text, count + data.toString("latin1").split(text).length - 1);
        }
      });
      incoming.pause();
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
  // A server listening on a TCP port has an AddressInfo.
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
      // Data that wasn't stalled must not be passed twice.
      for (const pair of pairs) if (stalled?.(pair) === true) pass(pair);
      stalled = null;
    },
    countSent: (text) => {
      counts.set(text, counts.get(text) ?? 0);
      const before = counts.get(text) ?? 0;
      return () => (counts.get(text) ?? 0) - before;
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
