import { z } from "zod";
import type { Execution } from "../../db/generated/client.ts";
import { ExecutionEffect } from "../../db/generated/enums.ts";
import { redactText } from "../kernel/redact.ts";
import type { Ctx } from "../kernel/context.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { endExecution, endedExecution } from "./end-execution.ts";

const shape = endedExecution.extend({
  error: z.object({
    code: text(LIMITS.errorCodeLength).nullish(),
    message: text(LIMITS.textLength),
  }),
  /** What was done before it failed. */
  effect: z.enum(ExecutionEffect),
});

/**
 * Reports that an execution failed. If its effect is unknown, so is the execution: a person resolves it.
 *
 * @throws {DomainError} as {@link endExecution}; validation_failed.
 */
export async function failExecution(ctx: Ctx, input: z.input<typeof shape>): Promise<Execution> {
  const { error, effect, ...call } = parseInput(shape, input);
  const { code, message } = error;
  return endExecution(ctx, call, {
    status: effect === "unknown" ? "unknown" : "failed",
    error: { code: redactText(code ?? "failed"), message: redactText(message) },
    effect,
  });
}
