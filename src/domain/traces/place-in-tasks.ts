import type { Task } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { ServerSpan } from "../kernel/server-span.ts";
import { placeAttempt } from "../tasks/task-span.ts";

/** A span of the service whose trace is known. */
export type PlacedSpan = ServerSpan & { traceId: string };

/** Finds the traces of spans that are in those of their tasks. Spans of tasks that were deleted are left out. */
export async function placeInTasks(
  { run, ctx }: Transaction,
  spans: readonly ServerSpan[],
): Promise<PlacedSpan[]> {
  const ids = spans.flatMap(({ traceId, taskId }) => (traceId === null && taskId !== null ? [taskId] : []));
  const found = ids.length === 0 ? [] : await run(TASKS, [ctx.workspaceId, ids]);
  const tasks = new Map(found.map((task) => [task.id, task]));
  return spans.flatMap((span) => {
    if (span.traceId !== null) return [{ ...span, traceId: span.traceId }];
    const task = tasks.get(span.taskId ?? "");
    if (task === undefined) return [];
    const { traceId, spanId } = placeAttempt(task);
    return [{ ...span, traceId, parentSpanId: task.claimedAt === null ? null : spanId }];
  });
}

const TASKS = sql<Pick<Task, "id" | "traceId" | "claimedAt">>`
SELECT id, trace_id AS "traceId", claimed_at AS "claimedAt" FROM task
WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`;
