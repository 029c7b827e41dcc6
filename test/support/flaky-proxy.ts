import { once } from "node:events";
import { type IncomingMessage, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A way to a server on which answers get lost. */
export type FlakyProxy = {
  url: string;
  /** Answers that were lost so far. */
  dropped: () => number;
  close: () => Promise<void>;
};

/** Starts a proxy that loses the first answer to every POST: the server has done it, and nobody was told. */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const seen = new Set<string>();
  let dropped = 0;
  const server = createServer((incoming, outgoing) => {
    const { method = "GET", url = "", headers } = incoming;
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      const key = `${method} ${url} ${body.toString("latin1")}`;
      const isLost = method === "POST" && !seen.has(key);
      seen.add(key);
      const forwarded = request(target + url, { method, headers }, (answer: IncomingMessage) => {
        if (isLost) {
          dropped++;
          answer.resume();
          outgoing.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.end(body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    dropped: () => dropped,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
