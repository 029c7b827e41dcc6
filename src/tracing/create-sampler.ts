import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { TracingConfig } from "../config/tracing-config.ts";

const PARENT_BASED = "parentbased_";

/** @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
export function createSampler({
  sampler,
  samplerRatio,
}: Pick<TracingConfig, "sampler" | "samplerRatio">): Sampler {
  if (sampler.startsWith(PARENT_BASED)) {
    const root = createRoot(sampler.slice(PARENT_BASED.length), samplerRatio);
    return new ParentBasedSampler({ root });
  }
  return createRoot(sampler, samplerRatio);
}

function createRoot(name: string, ratio: number): Sampler {
  if (name === "always_off") return new AlwaysOffSampler();
  return name === "traceidratio" ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
