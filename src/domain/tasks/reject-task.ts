import type { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { holderInput } from "./holder-input.ts";
import { lockTask, requireTaskGeneration } from "./lock-task.ts";
import { moveTask } from "./move-task.ts";
import { settleTask } from "./settle-task.ts";
import { endTask } from "./task-moves.ts";
import { hasHolder, requireTaskState } from "./task-states.ts";

const shape = holderInput.extend({
  leaseToken: holderInput.shape.leaseToken.nullish(),
  reason: text(LIMITS.textLength).nullish(),
});

type Rejection = z.output<typeof shape>;

/**
 * Rejects a task, which is not retried: by its holder or, without a lease, by the agent that it is assigned
 * to.
 *
 * @throws {DomainError} insufficient_scope without `tasks:work`; not_found; validation_failed; lease_lost;
 *   forbidden for a task that is not assigned to the caller; invalid_state; precondition_failed.
 */
export async function rejectTask(ctx: Ctx, input: z.input<typeof shape>): Promise<Task> {
  const { leaseToken, ...asked } = parseInput(shape, input);
  if (typeof leaseToken !== "string") return rejectAssigned(ctx, asked);
  const { id, ifGeneration, reason = null } = asked;
  return settleTask(ctx, { act: "reject", id, leaseToken, ifGeneration, body: { reason } }, (locked) =>
    endTask(locked, "rejected", { statusMessage: reason }),
  );
}

async function rejectAssigned(
  ctx: Ctx,
  { id, reason, ifGeneration }: Omit<Rejection, "leaseToken">,
): Promise<Task> {
  requireScope(ctx, "tasks:work");
  return ctx.transaction(async (tx) => {
    const locked = await lockTask(tx, id);
    if (ctx.actor.type !== "agent" || locked.task.assigneeAgentId !== ctx.actor.id) {
      throw new DomainError(
        "forbidden",
        "Without its lease, only the agent that the task is assigned to can reject it.",
      );
    }
    if (locked.task.status === "rejected") return locked.task;
    requireTaskGeneration(locked.task, ifGeneration);
    if (hasHolder(locked.task.status))
      throw createFieldError("leaseToken", "is required: the task is being worked on");
    requireTaskState(locked.task, "reject");
    const { task, appended } = await moveTask(
      tx,
      locked,
      endTask(locked, "rejected", { statusMessage: reason ?? null }),
    );
    append(tx, appended);
    return task;
  });
}
