import { z } from "zod";
import type { Execution } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { concludeExecution } from "./conclude-execution.ts";
import { retryExecution } from "./retry-execution.ts";

const shape = z.object({
  id: uuid,
  /** How it ended, or that it is done again. */
  outcome: z.enum(["completed", "failed", "retried"]),
  reason: text(LIMITS.textLength),
});

/**
 * Says how an execution ended that failed, or that nobody knows the end of; or has its agent do it again, which
 * opens another execution with a higher fence. Only people can: what an agent did may have been done.
 *
 * @returns the execution, and the new one; null unless it is retried.
 * @throws {DomainError} forbidden below operator, and for agents; not_found; validation_failed; invalid_state unless
 *   its outcome is open; for a retry as {@link retryExecution}.
 */
export async function resolveExecution(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<{ execution: Execution; retry: Execution | null }> {
  requireRole(ctx, "operator");
  const { id, outcome, reason } = parseInput(shape, input);
  if (outcome === "retried") return retryExecution(ctx, { id, reason });
  return ctx.transaction(async (tx) => {
    const { execution, appended } = await concludeExecution(tx, { id, outcome, reason, retryId: null });
    append(tx, appended);
    return { execution, retry: null };
  });
}
