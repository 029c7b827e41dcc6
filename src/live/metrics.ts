import { Counter, Gauge, Histogram, Registry } from "prom-client";

export type LiveMetrics = ReturnType<typeof createLiveMetrics>;

const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Creates the metrics and their registry. */
export function createLiveMetrics() {
  const registry = new Registry();
  function options(name: string, help: string) {
    return { name: `agent_ops_${name}`, help, registers: [registry] };
  }
  return {
    registry,
    workspaces: new Gauge(options("live_workspaces", "Workspaces whose events this node follows.")),
    subscriptions: new Gauge(options("live_subscriptions", "Subscriptions to events.")),
    groups: new Gauge(options("live_groups", "Groups of subscriptions with the same frames.")),
    waits: new Gauge(options("live_waits", "Requests that wait for events without a socket.")),
    pulled: new Counter(options("events_pulled_total", "Events that this node has read.")),
    lag: new Histogram({
      ...options("event_lag_seconds", "Time from the writing of an event until this node has read it."),
      buckets: LAG_SECONDS,
    }),
    rendered: new Gauge(options("live_rendered_bytes", "Bytes of rendered events in memory.")),
    delivered: new Counter(options("events_delivered_total", "Events written to live subscribers.")),
    catchUps: new Counter(options("catch_ups_total", "Subscribers that had to read events they missed.")),
    holes: new Counter(options("event_holes_total", "Gaps in an event log. Always 0 unless there is a bug.")),
    resets: new Counter({
      ...options("event_resets_total", "Resets sent to subscribers because events were missing."),
      labelNames: ["reason"] as const,
    }),
    notifications: new Counter({
      ...options("notifications_total", "Notifications between nodes."),
      labelNames: ["outcome"] as const,
    }),
    listens: new Gauge(options("notifications_listening", "1 while this node receives them, else 0.")),
    revocations: new Counter(options("revocations_total", "Revocations that this node has applied.")),
    revocationLag: new Histogram({
      ...options("revocation_lag_seconds", "Time from a revocation until this node has read it."),
      buckets: LAG_SECONDS,
    }),
    unacknowledged: new Counter(
      options("revocations_unacknowledged_total", "Revocations not acknowledged in time."),
    ),
    trusted: new Gauge(options("revocations_trusted", "1 while this node knows all revocations.")),
    sockets: new Gauge({
      ...options("sockets", "Open sockets, by kind of caller."),
      labelNames: ["principal"] as const,
    }),
    buffered: new Gauge(options("socket_buffered_bytes", "Unsent bytes of sockets.")),
    closed: new Counter({
      ...options("sockets_closed_total", "Closed sockets, by close code."),
      labelNames: ["code"] as const,
    }),
  };
}
