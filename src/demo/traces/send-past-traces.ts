import type { Ctx } from "../../domain/kernel/context.ts";
import { toOwnTraceId } from "../../domain/kernel/server-span.ts";
import { openDemoAgent } from "../simulator/demo-agent.ts";
import { buildJobSpans } from "./build-job-spans.ts";
import { sendSpans } from "./send-spans.ts";

/** How many traces are of tasks that completed and that failed. They reach back for about a day. */
const TRACES = { completed: 24, failed: 6 } as const;

/** Sends the traces of the newest tasks, each when its task had ended. Again, they change nothing. */
export async function sendPastTraces(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const tasks = [...(await readNewest(ctx, "completed")), ...(await readNewest(ctx, "failed"))];
  for (const { id, title, output, error, startedAt, finishedAt, claimedByAgent: agent } of tasks) {
    if (signal?.aborted === true) return;
    if (startedAt === null || finishedAt === null || agent === null) continue;
    const [fromMs, endMs] = [startedAt.getTime(), finishedAt.getTime()];
    const job = {
      id,
      title,
      handle: agent.handle,
      fromMs,
      lastsMs: endMs - fromMs,
      result: readText(output, "summary") ?? "Done.",
      failure: readText(error, "message"),
      traceId: toOwnTraceId(id),
      parentSpanId: "",
    };
    const then = openDemoAgent(ctx, agent, finishedAt);
    await sendSpans(then, agent.handle, buildJobSpans(job, endMs, endMs));
  }
}

async function readNewest(ctx: Ctx, status: keyof typeof TRACES) {
  return ctx.db.task.findMany({
    where: { status, claimedByAgentId: { not: null } },
    orderBy: { finishedAt: "desc" },
    take: TRACES[status],
    select: {
      id: true,
      title: true,
      output: true,
      error: true,
      startedAt: true,
      finishedAt: true,
      claimedByAgent: { select: { id: true, handle: true, name: true } },
    },
  });
}

function readText(value: unknown, name: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const text: unknown = Reflect.get(value, name);
  return typeof text === "string" ? text : null;
}
