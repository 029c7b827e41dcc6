import { type Ctx, openCtx } from "../../domain/kernel/context.ts";
import { parseTraceparent } from "../../domain/kernel/traceparent.ts";
import { buildJobSpans } from "../traces/build-job-spans.ts";
import { sendSpans } from "../traces/send-spans.ts";
import type { OfficeJob } from "./office-job.ts";

type JobState = { handle: string; job: OfficeJob; at: Date; isHeld: boolean };

/** Sends what an agent has done of a job so far. What goes on is open, and is sent again when it has ended. */
export async function traceJob(agent: Ctx, { handle, job, at, isHeld }: JobState): Promise<void> {
  const failure = job.ending === "fail" ? job.failure.message : null;
  const untilMs = at.getTime();
  const attempt = parseTraceparent(job.traceparent);
  if (attempt === null) throw new Error(`a lease has the traceparent ${job.traceparent}`);
  const traced = { ...job, handle, failure, traceId: attempt.traceId, parentSpanId: attempt.spanId };
  const spans = buildJobSpans(traced, untilMs, isHeld ? null : untilMs);
  await sendSpans(openCtx(agent.services, agent, at), handle, spans);
}
