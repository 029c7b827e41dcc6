import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** What the live channel of a process tells of itself. */
export type LiveMetrics = ReturnType<typeof createLiveMetrics>;

const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Makes the metrics, each at nothing, and the registry that they are read from. */
export function createLiveMetrics() {
  const registry = new Registry();
  function options(name: string, help: string) {
    return { name: `agent_ops_${name}`, help, registers: [registry] };
  }
  return {
    registry,
    workspaces: new Gauge(options("live_workspaces", "Workspaces whose events this node follows.")),
    subscriptions: new Gauge(options("live_subscriptions", "Subscriptions to events.")),
    groups: new Gauge(options("live_groups", "Groups of subscriptions that share what is rendered.")),
    waits: new Gauge(options("live_waits", "Those who wait for events without a socket.")),
    pulled: new Counter(options("events_pulled_total", "Events that this node has read.")),
    lag: new Histogram({
      ...options("event_lag_seconds", "From when an event was written until this node has read it."),
      buckets: LAG_SECONDS,
    }),
    rendered: new Gauge(options("live_rendered_bytes", "Bytes of events that are kept as rendered.")),
    delivered: new Counter(options("events_delivered_total", "Events written to live subscribers.")),
    catchUps: new Counter(options("catch_ups_total", "Subscribers that had to read what they missed.")),
    holes: new Counter(options("event_holes_total", "Holes in a workspace's order: never, if all is well.")),
    resets: new Counter({
      ...options("event_resets_total", "Gaps that subscribers were told of."),
      labelNames: ["reason"] as const,
    }),
    notifications: new Counter({
      ...options("hints_total", "Notifications between nodes."),
      labelNames: ["outcome"] as const,
    }),
    hears: new Gauge(options("hints_heard", "1 while this node hears notifications; else it polls.")),
    revocations: new Counter(options("revocations_total", "Revocations that this node has applied.")),
    revocationLag: new Histogram({
      ...options("revocation_lag_seconds", "From a revocation until this node has heard of it."),
      buckets: LAG_SECONDS,
    }),
    unacknowledged: new Counter(options("revocations_unacknowledged_total", "Not acknowledged in time.")),
    trusted: new Gauge(options("revocations_trusted", "1 while this node knows all that is revoked.")),
    sockets: new Gauge({
      ...options("sockets", "Open sockets, by whose they are."),
      labelNames: ["principal"] as const,
    }),
    buffered: new Gauge(options("socket_buffered_bytes", "Bytes that wait to be sent on sockets.")),
    closed: new Counter({
      ...options("sockets_closed_total", "Sockets that have closed, by the code of their end."),
      labelNames: ["code"] as const,
    }),
  };
}
