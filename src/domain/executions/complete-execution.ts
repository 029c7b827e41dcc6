import { z } from "zod";
import type { Execution } from "../../db/generated/client.ts";
import { redact } from "../kernel/redact.ts";
import type { Ctx } from "../kernel/context.ts";
import { jsonProblem, parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { endExecution, endedExecution } from "./end-execution.ts";

const shape = endedExecution.extend({
  result: z
    .unknown()
    .superRefine((value, context) => {
      const problem = jsonProblem(value, LIMITS.executionResultBytes);
      if (problem !== null) context.addIssue({ code: "custom", message: problem });
    })
    .optional(),
});

/**
 * Completes an execution. Its result is for people: it is stored without secrets.
 *
 * @throws {DomainError} as {@link endExecution}; validation_failed.
 */
export async function completeExecution(ctx: Ctx, input: z.input<typeof shape>): Promise<Execution> {
  const { result, ...call } = parseInput(shape, input);
  return endExecution(ctx, call, { status: "completed", result: redact(result ?? null) });
}
