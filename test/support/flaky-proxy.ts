import { once } from "node:events";
import { type IncomingMessage, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy to a server that loses responses. */
export type FlakyProxy = {
  url: string;
  /** Number of responses lost so far. */
  dropped: () => number;
  close: () => Promise<void>;
};

/** Starts a proxy that loses the first response to every POST, after the server has processed it. */
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
      // The server has ended.
      forwarded.on("error", () => outgoing.destroy());
      forwarded.end(body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server listening on a port has an AddressInfo.
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
