import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Registry, collectDefaultMetrics } from "prom-client";

export type MetricsServer = { port: number; stop: () => Promise<void> };

/**
 * Serves `GET /metrics` in Prometheus' text format on a port of its own: the registry's metrics and Node's.
 * There is no authentication, so the port must not be public.
 *
 * @throws if the port is in use.
 */
export async function startMetricsServer(
  registry: Registry,
  { port, host }: { port: number; host: string },
): Promise<MetricsServer> {
  collectDefaultMetrics({ register: registry });
  const server = createServer((request, response) => {
    const isMetrics = request.method === "GET" && request.url === "/metrics";
    const answer = isMetrics ? registry.metrics() : Promise.resolve("Not found. Use GET /metrics.\n");
    answer.then(
      (text) => {
        response.writeHead(isMetrics ? 200 : 404, {
          "content-type": isMetrics ? registry.contentType : "text/plain",
        });
        response.end(text);
      },
      () => response.writeHead(500).end(),
    );
  });
  await listen(server, port, host);
  return {
    // A server that listens on a TCP port has this kind of address.
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}
