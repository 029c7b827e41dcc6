import { NOW, sql } from "../../db/sql.ts";
import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { append } from "../kernel/events.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { lockDueTasks } from "./lock-due-tasks.ts";
import type { LockedTask } from "./lock-task.ts";
import { type TaskMove, moveTask } from "./move-task.ts";
import { endTask, requeueTask } from "./task-moves.ts";

/** The workspaces that have some. */
export const TASKS_DUE = sql<{ id: string }>`
SELECT DISTINCT workspace_id AS id FROM task
WHERE status IN ('working', 'input_required', 'auth_required') AND (
  status = 'working' AND lease_expires_at <= ${NOW}
  OR status = 'input_required' AND input_deadline_at <= ${NOW}
  OR cancel_requested_at <= ${NOW} - interval '${LIMITS.cancelSeconds} seconds')
UNION
SELECT workspace_id FROM task
WHERE deadline_at <= ${NOW} AND status IN ('submitted', 'working', 'input_required', 'auth_required')`;

/**
 * Handles the deadlines of tasks: expired leases, unanswered questions, unacknowledged cancellations, and
 * the tasks' own deadlines. Any number of nodes may run it at once.
 *
 * @returns the number of changed tasks.
 */
export async function sweepTasks(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  return sweepWorkspaces(services, { now, turns }, { due: TASKS_DUE, batch: sweepBatch });
}

async function sweepBatch(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const due = await lockDueTasks(tx);
    for (const locked of due) {
      const { appended } = await moveTask(tx, locked, getDueMove(locked));
      append(tx, appended);
    }
    return due.length;
  });
}

/** Returns the most important due move: the task's deadline comes before its lease's. */
function getDueMove(locked: LockedTask): TaskMove {
  const { task, now } = locked;
  if (isPast(task.deadlineAt, now))
    return fail(locked, "deadline_exceeded", "The task's deadline has passed.");
  if (isPast(getCancelDeadline(task), now)) return endTask(locked, "canceled");
  if (task.status === "input_required") {
    return fail(locked, "input_timeout", "The question was not answered in time.");
  }
  if (task.cancelRequestedAt === null && task.attempt >= task.maxAttempts) {
    return fail(locked, "lease_expired", "The lease of the last attempt expired.");
  }
  return requeueTask(locked, { event: "task.lease_expired", data: { leaseTokenDigest: null } });
}

function fail(locked: LockedTask, code: string, message: string): TaskMove {
  return endTask(locked, "failed", { error: { code, message, retryable: false } });
}

function getCancelDeadline({ cancelRequestedAt }: Task): Date | null {
  return cancelRequestedAt && new Date(cancelRequestedAt.getTime() + LIMITS.cancelSeconds * 1000);
}

function isPast(at: Date | null, now: Date): boolean {
  return at !== null && at <= now;
}
