import type { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { parseInput } from "../kernel/input.ts";
import { holderInput } from "./holder-input.ts";
import { settleTask } from "./settle-task.ts";
import { requeueTask } from "./task-moves.ts";

/**
 * Returns a task to its queue without counting the attempt: the next claim has the same number and a new
 * lease.
 *
 * @throws {DomainError} insufficient_scope without `tasks:work`; not_found; validation_failed; lease_lost;
 *   invalid_state; precondition_failed.
 */
export async function releaseTask(ctx: Ctx, input: z.input<typeof holderInput>): Promise<Task> {
  const call = parseInput(holderInput, input);
  return settleTask(ctx, { act: "release", ...call, body: {} }, (locked) => {
    const { attempt, cancelRequestedAt } = locked.task;
    return requeueTask(locked, cancelRequestedAt === null ? { data: { attempt: attempt - 1 } } : {});
  });
}
