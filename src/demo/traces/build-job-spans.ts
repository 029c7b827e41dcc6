import { createHash } from "node:crypto";
import type { SentSpan } from "../../domain/traces/telemetry.ts";
import { type Step, type TracedJob, planSteps } from "./plan-steps.ts";

const ERROR = 2;

/**
 * Builds the spans of a job that have begun until now. Their ids are always the same, so that they can be sent again
 * when they have ended.
 *
 * @param endedMs when the job ended, in milliseconds since 1970; null while it goes on.
 */
export function buildJobSpans(job: TracedJob, untilMs: number, endedMs: number | null = null): SentSpan[] {
  const steps = planSteps(job);
  const ids = new Map(steps.map((step, place) => [step, createSpanId(job.id, place)]));
  function toMs(share: number): number {
    return job.fromMs + share * job.lastsMs;
  }
  function endOf({ to, parent }: Step): number | null {
    const end = parent === null ? endedMs : Math.min(toMs(to), endedMs ?? Infinity);
    return end === null || end > untilMs ? null : end;
  }
  return steps
    .filter(({ from }) => toMs(from) <= Math.min(untilMs, endedMs ?? Infinity))
    .map((step) => {
      const end = endOf(step);
      const failure = end === null ? null : step.failure;
      return {
        traceId: job.traceId,
        spanId: ids.get(step) ?? "",
        parentSpanId: step.parent === null ? job.parentSpanId : (ids.get(step.parent) ?? ""),
        name: step.name,
        kind: step.kind,
        attributes: step.attributes,
        startedAtUs: toMicroseconds(toMs(step.from)),
        endedAtUs: end === null ? 0 : toMicroseconds(end),
        statusCode: failure === null ? 0 : ERROR,
        statusMessage: failure ?? "",
        events: [],
        links: [],
        dropped: 0,
      };
    });
}

function createSpanId(jobId: string, place: number): string {
  return createHash("sha256").update(`${jobId} ${place}`).digest("hex").slice(0, 16);
}

function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000);
}
