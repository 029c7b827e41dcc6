import { z } from "zod";
import { A2aError } from "../a2a-error.ts";
import type { Call, Updates } from "../operation.ts";
import { STATES, isTerminal } from "../protocol.ts";
import { followTask } from "./follow-task.ts";
import { readInput, readTaskId } from "./read-input.ts";
import { readTaskStatus } from "./task-reads.ts";

const shape = z.object({ id: z.string() });

/** @throws {A2aError} INVALID_PARAMS; TASK_NOT_FOUND; UNSUPPORTED_OPERATION for a task that has ended. */
export async function subscribeToTask({ ctx, input }: Call): Promise<Updates> {
  const id = readTaskId(readInput(shape, input).id);
  const task = await readTaskStatus(ctx, id);
  if (isTerminal(task)) {
    throw new A2aError(
      "UNSUPPORTED_OPERATION",
      `The task has ended: ${STATES[task.status]}. Get it instead.`,
    );
  }
  return followTask(ctx, task);
}
