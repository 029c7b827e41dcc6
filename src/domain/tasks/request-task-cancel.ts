import type { Task } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { insertAgentCommands } from "../agent-commands/insert-agent-command.ts";
import { cancelApprovalsOfTask } from "../approvals/cancel-pending-approvals.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { LIMITS } from "../kernel/limits.ts";
import { findParent, formatParent } from "./find-parent.ts";
import type { LockedTask } from "./lock-task.ts";
import { type TaskAppendContent, moveTask } from "./move-task.ts";
import { endTask, workOn } from "./task-moves.ts";
import { hasHolder } from "./task-states.ts";

/** A holder that has not acknowledged the command by then is sent another one. */
const REPEAT_SECONDS = 10;

/**
 * Cancels a task that is locked with its holder: immediately if nobody holds it; otherwise its holder gets
 * the request with its next heartbeat and a command, and has 30 seconds to acknowledge. What is asked for the task is
 * cancelled too.
 */
export async function requestTaskCancel(
  tx: Transaction,
  locked: LockedTask,
  { reason }: { reason: string | null },
): Promise<{ task: Task; appended: TaskAppendContent }> {
  const { task, appended } = await cancelOrAsk(tx, locked, reason);
  const questions = await cancelApprovalsOfTask(tx, task.id);
  return { task, appended: mergeAppends(appended, questions) };
}

async function cancelOrAsk(tx: Transaction, locked: LockedTask, reason: string | null) {
  const { task, now } = locked;
  const message = reason === null ? {} : { statusMessage: reason };
  const audit = { action: "task.canceled", changes: { reason } };
  if (!hasHolder(task.status))
    return moveTask(tx, locked, { ...endTask(locked, "canceled", message), audit });
  const data = {
    ...(task.status === "auth_required" && workOn(locked)),
    cancelRequestedAt: now,
    ...message,
  };
  const asked = { action: "task.cancel_requested", changes: { reason } };
  const moved = await moveTask(tx, locked, { event: "task.updated", data, audit: asked });
  const sent = await sendCancelCommand(tx, moved.task, reason);
  return { task: moved.task, appended: mergeAppends(moved.appended, sent) };
}

async function sendCancelCommand(tx: Transaction, task: Task, reason: string | null) {
  if (task.claimedByAgentId === null) return { events: [], totals: [] };
  const { appended } = await insertAgentCommands(tx, {
    agentIds: [task.claimedByAgentId],
    type: "task.cancel",
    params: { task_id: task.id, attempt: task.attempt, reason },
    priority: "urgent",
    // After that, the task is canceled without the holder.
    expiresInSeconds: LIMITS.cancelSeconds,
    ackTimeoutSeconds: REPEAT_SECONDS,
    taskId: task.id,
    traceparent: formatParent(await findParent(tx, task.id)),
  });
  return appended;
}
