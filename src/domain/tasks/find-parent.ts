import type { Task } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { toTraceparent } from "../kernel/server-span.ts";
import { parseTraceparent } from "../kernel/traceparent.ts";
import { placeAttempt } from "./task-span.ts";

/** A span that another one begins within; `spanId` is null for a trace in which none is known yet. */
export type ParentSpan = { traceId: string; spanId: string | null };

/**
 * Finds what a new span begins within: the caller's span, else the current attempt of the task that it is for.
 *
 * @returns null without either.
 */
export async function findParent(
  { run, ctx }: Transaction,
  taskId: string | null,
): Promise<ParentSpan | null> {
  const caller = parseTraceparent(ctx.traceparent);
  if (caller !== null || taskId === null) return caller;
  const [task] = await run(FIND, [ctx.workspaceId, taskId]);
  if (task === undefined) return null;
  const { traceId, spanId } = placeAttempt(task);
  return { traceId, spanId: task.claimedAt === null ? task.parentSpanId : spanId };
}

const FIND = sql<Pick<Task, "id" | "traceId" | "parentSpanId" | "claimedAt">>`
SELECT id, trace_id AS "traceId", parent_span_id AS "parentSpanId", claimed_at AS "claimedAt" FROM task
WHERE workspace_id = $1::uuid AND id = $2::uuid`;

/** @returns the traceparent of a parent whose span is known, else null. */
export function formatParent(parent: ParentSpan | null): string | null {
  return parent === null || parent.spanId === null
    ? null
    : toTraceparent({ traceId: parent.traceId, spanId: parent.spanId });
}
