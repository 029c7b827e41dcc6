import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** What the live channel of a process tells of itself. */
export type LiveMetrics = ReturnType<typeof createLiveMetrics>;

const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Makes the metrics, each at nothing, and the registry that they are read from. */
export function createLiveMetrics() {
  const registry = new Registry();
  function metricOptions(name: string, help: string) {
    return { name: `agent_ops_${name}`, help, registers: [registry] };
  }
  return {
    registry,
    workspaces: new Gauge(metricOptions("live_workspaces", "Workspaces whose events this node follows.")),
    subscriptions: new Gauge(metricOptions("live_subscriptions", "Subscriptions to events.")),
    groups: new Gauge(metricOptions("live_groups", "Groups of subscriptions that share what is rendered.")),
    waits: new Gauge(metricOptions("live_waits", "Those who wait for events without a socket.")),
    pulled: new Counter(metricOptions("events_pulled_total", "Events that this node has read.")),
    lag: new Histogram({
      ...metricOptions("event_lag_seconds", "From when an event was written until this node has read it."),
      buckets: LAG_SECONDS,
    }),
    rendered: new Gauge(
      metricOptions("live_rendered_bytes", "Bytes of events that are kept as they were rendered."),
    ),
    delivered: new Counter(metricOptions("events_delivered_total", "Events written to live subscribers.")),
    catchUps: new Counter(metricOptions("catch_ups_total", "Subscribers that had to read what they missed.")),
    holes: new Counter(
      metricOptions("event_holes_total", "Holes in a workspace's order: never, if all is well."),
    ),
    resets: new Counter({
      ...metricOptions("event_resets_total", "Gaps that subscribers were told of."),
      labelNames: ["reason"] as const,
    }),
    notifications: new Counter({
      ...metricOptions("hints_total", "Hints between nodes."),
      labelNames: ["outcome"] as const,
    }),
    hears: new Gauge(
      metricOptions("hints_heard", "1 while this node hears hints; else it finds out by polling."),
    ),
    revocations: new Counter(metricOptions("revocations_total", "Revocations that this node has applied.")),
    revocationLag: new Histogram({
      ...metricOptions(
        "revocation_lag_seconds",
        "From when something was revoked until this node has heard of it.",
      ),
      buckets: LAG_SECONDS,
    }),
    unacknowledged: new Counter(
      metricOptions("revocations_unacknowledged_total", "Not acknowledged in time."),
    ),
    trusted: new Gauge(
      metricOptions("revocations_trusted", "1 while this node knows of all that is revoked."),
    ),
    sockets: new Gauge({
      ...metricOptions("sockets", "Open sockets, by whose they are."),
      labelNames: ["principal"] as const,
    }),
    buffered: new Gauge(metricOptions("socket_buffered_bytes", "Bytes that wait to be sent on sockets.")),
    closed: new Counter({
      ...metricOptions("sockets_closed_total", "Sockets that have closed, by the code of their end."),
      labelNames: ["code"] as const,
    }),
  };
}
