import type { Env } from "./env.ts";

/** Where the server's own traces are sent. */
export type TracingConfig = {
  /** Without a trailing slash. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** One of {@link SAMPLERS}. */
  sampler: string;
  /** Of `traceidratio`, 0 to 1. */
  samplerRatio: number;
};

/** @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
];

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

/** Reads `name=value,name=value`, percent-encoded; null if it is not that. */
export function parseHeaders(text: string): Record<string, string> | null {
  const entries = text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).trim()] as const;
    });
  if (entries.some(([name]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name))) return null;
  try {
    return Object.fromEntries(
      entries.map(([name, value]) => [name.toLowerCase(), decodeURIComponent(value)]),
    );
  } catch {
    return null;
  }
}
