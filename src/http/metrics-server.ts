import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Registry, collectDefaultMetrics } from "prom-client";
import { limitConnections } from "./limit-connections.ts";
import { limitPipelines } from "./limit-pipelines.ts";

export type MetricsServer = { port: number; stop: () => Promise<void> };

/** Few scrapers ask, and wait for each answer. */
const CONNECTIONS = 200;
const WAITING = { all: 100, address: 100 };
const PIPELINED = { connection: 1, waiting: 0 };

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
  const server = createServer();
  server.maxConnections = CONNECTIONS;
  limitConnections(server, WAITING, String);
  limitPipelines(server, PIPELINED);
  server.on("request", (request, response) => answer(registry, request, response));
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

function answer(registry: Registry, request: IncomingMessage, response: ServerResponse): void {
  if (request.socket.destroyed) return;
  const isMetrics = request.method === "GET" && request.url === "/metrics";
  const telling = isMetrics ? registry.metrics() : Promise.resolve("Not found. Use GET /metrics.\n");
  telling.then(
    (text) => {
      response.writeHead(isMetrics ? 200 : 404, {
        "content-type": isMetrics ? registry.contentType : "text/plain",
      });
      response.end(text);
    },
    () => response.writeHead(500).end(),
  );
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}
