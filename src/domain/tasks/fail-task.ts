import { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { holderInput } from "./holder-input.ts";
import { settleTask } from "./settle-task.ts";
import { endTask, requeueTask, getRetryTime } from "./task-moves.ts";

const shape = holderInput.extend({
  error: z.object({
    code: text(LIMITS.errorCodeLength).default("agent_error"),
    message: text(LIMITS.textLength),
    retryable: z.boolean().default(true),
  }),
});

/**
 * Reports that an attempt failed. If a retry may help and attempts are left, the task returns to its queue
 * with a delay of 2^attempt seconds, at most 300; otherwise it fails.
 *
 * @throws {DomainError} insufficient_scope without `tasks:work`; not_found; validation_failed; lease_lost;
 *   invalid_state; precondition_failed.
 */
export async function failTask(ctx: Ctx, input: z.input<typeof shape>): Promise<Task> {
  const { id, leaseToken, ifGeneration, error } = parseInput(shape, input);
  return settleTask(ctx, { act: "fail", id, leaseToken, ifGeneration, body: { error } }, (locked) => {
    const { attempt, maxAttempts } = locked.task;
    if (!error.retryable || attempt >= maxAttempts) return endTask(locked, "failed", { error });
    return requeueTask(locked, { data: { error, runAfter: getRetryTime(locked) } });
  });
}
