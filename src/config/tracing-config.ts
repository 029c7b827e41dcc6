import type { Env } from "./env.ts";

/** Where the server's own traces are sent. */
export type TracingConfig = {
  /** Without a trailing slash. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** A name that OTEL_TRACES_SAMPLER may have. */
  sampler: string;
  /** Of `traceidratio`, 0 to 1. */
  samplerRatio: number;
};

/** Null without an endpoint, or if traces are turned off. */
export function readTracingConfig(env: Env): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: isDisabled = false } = env;
  if (endpoint === undefined || isDisabled) return null;
  return {
    endpoint: endpoint.replace(/(?<!\/)\/+$/, ""),
    headers: env.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: env.OTEL_SERVICE_NAME ?? "agent-ops",
    sampler: env.OTEL_TRACES_SAMPLER ?? "parentbased_always_on",
    samplerRatio: env.OTEL_TRACES_SAMPLER_ARG ?? 1,
  };
}
