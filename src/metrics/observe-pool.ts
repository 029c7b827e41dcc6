import { Gauge, type Registry } from "prom-client";
import type { Database } from "../db/client.ts";

/** Creates the metrics of a node's database connections. They are read when they are asked for. */
export function observePool(registry: Registry, database: Pick<Database, "countConnections">): void {
  const connections = new Gauge({
    name: "agent_ops_database_connections",
    help: "Connections of this node's pool, by state.",
    labelNames: ["state"] as const,
    registers: [registry],
    collect: () => {
      const { busy, idle, limit, waiting } = database.countConnections();
      connections.set({ state: "busy" }, busy);
      connections.set({ state: "idle" }, idle);
      most.set(limit);
      waits.set({ for: "connection" }, waiting.connection);
      waits.set({ for: "turn" }, waiting.turn);
    },
  });
  const most = new Gauge({
    name: "agent_ops_database_connections_limit",
    help: "The most connections of this node's pool.",
    registers: [registry],
  });
  const waits = new Gauge({
    name: "agent_ops_database_waits",
    help: "Work that waits for a connection, or for its workspace's turn.",
    labelNames: ["for"] as const,
    registers: [registry],
  });
}
