import type { Task } from "../../db/generated/client.ts";
import type { Transaction } from "../context.ts";
import { insertAgentCommands } from "../agent-commands/insert-agent-command.ts";
import { LIMITS } from "../limits.ts";
import type { LockedTask } from "./lock-task.ts";
import { type TaskAppended, moveTask } from "./move-task.ts";
import { endTask } from "./task-moves.ts";
import { isHeld } from "./task-states.ts";

/** A holder that has not acknowledged the command by then is told again. */
const REPEAT_SECONDS = 10;

/**
 * Cancels a task that is locked with its holder: at once where nobody holds it; else its holder is told, by its next heartbeat and
 * by a command, and has 30 seconds to acknowledge.
 */
export async function requestTaskCancel(
  tx: Transaction,
  locked: LockedTask,
  { reason }: { reason: string | null },
): Promise<{ task: Task; appended: TaskAppended }> {
  const { task, now } = locked;
  const message = reason === null ? {} : { statusMessage: reason };
  const audit = { action: "task.canceled", changes: { reason } };
  if (!isHeld(task.status)) return moveTask(tx, locked, { ...endTask(locked, "canceled", message), audit });
  const data = { cancelRequestedAt: now, ...message };
  const asked = { action: "task.cancel_requested", changes: { reason } };
  const moved = await moveTask(tx, locked, { event: "task.updated", data, audit: asked });
  const told = await tellHolder(tx, moved.task, reason);
  const { events, totals, audit: trail } = moved.appended;
  return {
    task: moved.task,
    appended: { events: [...events, ...told.events], totals: [...totals, ...told.totals], audit: trail },
  };
}

async function tellHolder(tx: Transaction, task: Task, reason: string | null) {
  if (task.claimedByAgentId === null) return { events: [], totals: [] };
  const { appended } = await insertAgentCommands(tx, {
    agentIds: [task.claimedByAgentId],
    type: "task.cancel",
    params: { task_id: task.id, attempt: task.attempt, reason },
    priority: "urgent",
    // After it the task is canceled whatever the holder says.
    expiresInSeconds: LIMITS.cancelSeconds,
    ackTimeoutSeconds: REPEAT_SECONDS,
    taskId: task.id,
  });
  return appended;
}
