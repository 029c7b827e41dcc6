import type { Task } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { toTraceparent } from "../kernel/server-span.ts";
import { parseTraceparent } from "../kernel/traceparent.ts";
import { placeAttempt } from "./task-span.ts";

/** A span that another one begins within; `spanId` is null for a trace in which none is known yet. */
export type ParentSpan = { traceId: string; spanId: string | null };

/** Who begins a span: its own span, if it said one, and the task that the new one is for, if any. */
export type SpanCaller = { traceparent: string | null; taskId: string | null };

/**
 * Finds what a new span begins within: the caller's span, else the current attempt of the task that it is for.
 *
 * @returns null without either.
 */
export async function findParent(tx: Transaction, taskId: string | null): Promise<ParentSpan | null> {
  const [parent = null] = await findParents(tx, [{ traceparent: tx.ctx.traceparent, taskId }]);
  return parent;
}

/** {@link findParent} of several callers, in their order. */
export async function findParents(
  { run, ctx }: Transaction,
  callers: readonly SpanCaller[],
): Promise<(ParentSpan | null)[]> {
  const said = callers.map(({ traceparent, taskId }) => ({ caller: parseTraceparent(traceparent), taskId }));
  const wanted = said.flatMap(({ caller, taskId }) => (caller === null && taskId !== null ? [taskId] : []));
  const found = wanted.length === 0 ? [] : await run(FIND, [ctx.workspaceId, [...new Set(wanted)]]);
  const attempts = new Map(found.map((task) => [task.id, placeTask(task)]));
  return said.map(
    ({ caller, taskId }) => caller ?? (taskId === null ? null : (attempts.get(taskId) ?? null)),
  );
}

type PlacedTask = Pick<Task, "id" | "traceId" | "parentSpanId" | "claimedAt">;

function placeTask(task: PlacedTask): ParentSpan {
  const { traceId, spanId } = placeAttempt(task);
  return { traceId, spanId: task.claimedAt === null ? task.parentSpanId : spanId };
}

const FIND = sql<PlacedTask>`
SELECT id, trace_id AS "traceId", parent_span_id AS "parentSpanId", claimed_at AS "claimedAt" FROM task
WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`;

/** @returns the traceparent of a parent whose span is known, else null. */
export function formatParent(parent: ParentSpan | null): string | null {
  return parent === null || parent.spanId === null
    ? null
    : toTraceparent({ traceId: parent.traceId, spanId: parent.spanId });
}
