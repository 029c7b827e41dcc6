import { Counter, Histogram, type Registry } from "prom-client";
import type { Answered } from "../http/answered.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** By what a route begins with; the first one that fits. Everything else is a page. */
const APIS: readonly (readonly [prefix: string, api: string])[] = [
  ["/api/v1/traces", "otlp"],
  ["/api/v1/logs", "otlp"],
  ["/api/v1/metrics", "otlp"],
  ["/v1/", "otlp"],
  ["/api/", "rest"],
  ["/graphql", "graphql"],
  ["/scim/", "scim"],
  ["/access/", "authzen"],
  ["/hooks/", "hooks"],
  ["/oauth/", "oauth"],
  ["/mcp", "mcp"],
  ["/a2a", "a2a"],
  ["/.well-known/", "discovery"],
  ["/healthz", "health"],
  ["/readyz", "health"],
];
const OTHER = "other";

/** Creates the metrics of HTTP requests, and returns what counts an answer. */
export function observeAnswers(registry: Registry): (answered: Answered) => void {
  const requests = new Counter({
    name: "agent_ops_http_requests_total",
    help: "Answered HTTP requests, by route template and status.",
    labelNames: ["api", "method", "route", "status"] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: "agent_ops_http_request_duration_seconds",
    help: "Time until an answer begins, by route template. Requests that wait for events take as long as they wait.",
    labelNames: ["api", "method", "route"] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  return ({ method, route, status, seconds }) => {
    const labels = { api: nameApi(route), method, route: route ?? OTHER };
    requests.inc({ ...labels, status });
    duration.observe(labels, seconds);
  };
}

function nameApi(route: string | null): string {
  if (route === null) return OTHER;
  return APIS.find(([prefix]) => route.startsWith(prefix))?.[1] ?? "pages";
}
