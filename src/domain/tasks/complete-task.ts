import { z } from "zod";
import type { Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { jsonProblem, parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { parts } from "../kernel/part.ts";
import { holderInput } from "./holder-input.ts";
import { settleTask } from "./settle-task.ts";
import { endTask } from "./task-moves.ts";

/** @see https://a2a-protocol.org/latest/specification/ (Artifact) */
const artifact = z.strictObject({
  artifact_id: text(LIMITS.nameLength),
  name: text(LIMITS.nameLength).optional(),
  parts: parts(1),
});

const shape = holderInput.extend({
  output: limitJsonSize(z.unknown()).optional(),
  artifacts: limitJsonSize(
    z
      .array(artifact)
      .max(LIMITS.artifacts, `must have at most ${LIMITS.artifacts} artifacts`)
      .refine(
        (all) => new Set(all.map((one) => one.artifact_id)).size === all.length,
        "must have distinct artifact_ids",
      ),
  ).default([]),
});

/**
 * Completes a task with its output.
 *
 * @throws {DomainError} insufficient_scope without `tasks:work`; not_found; validation_failed; lease_lost;
 *   invalid_state; precondition_failed.
 */
export async function completeTask(ctx: Ctx, input: z.input<typeof shape>): Promise<Task> {
  const { id, leaseToken, ifGeneration, output, artifacts } = parseInput(shape, input);
  const body = { output: output ?? null, artifacts };
  return settleTask(ctx, { act: "complete", id, leaseToken, ifGeneration, body }, (locked) =>
    endTask(locked, "completed", {
      progress: 1,
      // JSON that was parsed above. Null is already the column's value.
      artifacts: artifacts as object[],
      ...(body.output !== null && { output: body.output }),
    }),
  );
}

function limitJsonSize<Shape extends z.ZodType>(shape: Shape) {
  return shape.superRefine((value, context) => {
    const problem = jsonProblem(value, LIMITS.outputBytes);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });
}
