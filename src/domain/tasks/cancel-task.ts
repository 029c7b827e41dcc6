import { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockTaskAndHolder, requireTaskGeneration } from "./lock-task.ts";
import { requestTaskCancel } from "./request-task-cancel.ts";
import { requireTaskState } from "./task-states.ts";

const shape = z.object({
  id: uuid,
  reason: text(LIMITS.textLength).nullish(),
  ifGeneration: z.array(z.int()).nullish(),
});

/**
 * Cancels a task: immediately if nobody holds it, otherwise when its holder acknowledges or after 30
 * seconds. Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `tasks:write`; not_found; validation_failed;
 *   invalid_state if the task finished otherwise; precondition_failed.
 */
export async function cancelTask(ctx: Ctx, input: z.input<typeof shape>): Promise<Task> {
  requireScope(ctx, "tasks:write");
  const { id, reason, ifGeneration } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const locked = await lockTaskAndHolder(tx, id);
    const { status, cancelRequestedAt } = locked.task;
    if (status === "canceled") return locked.task;
    requireTaskState(locked.task, "cancel");
    if (cancelRequestedAt !== null) return locked.task;
    requireTaskGeneration(locked.task, ifGeneration);
    const { task, appended } = await requestTaskCancel(tx, locked, { reason: reason ?? null });
    append(tx, appended);
    return task;
  });
}
