import type { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { parseInput } from "../kernel/input.ts";
import { holderInput } from "./holder-input.ts";
import { settleTask } from "./settle-task.ts";
import { endTask } from "./task-moves.ts";

/**
 * Confirms that a task whose cancellation was requested is no longer worked on, which cancels it.
 *
 * @throws {DomainError} insufficient_scope without `tasks:work`; not_found; validation_failed; lease_lost;
 *   invalid_state, also if cancellation was not requested; precondition_failed.
 */
export async function acknowledgeTaskCancel(ctx: Ctx, input: z.input<typeof holderInput>): Promise<Task> {
  const call = parseInput(holderInput, input);
  return settleTask(ctx, { act: "acknowledgeCancel", ...call, body: {} }, (locked) => {
    const { status, cancelRequestedAt } = locked.task;
    if (cancelRequestedAt !== null) return endTask(locked, "canceled");
    throw new DomainError("invalid_state", "Cancellation of this task was not requested.", {
      currentStatus: status,
    });
  });
}
